import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, jest } from "@jest/globals";
import type { AgentInput, PendingState } from "@suite/agent";
import { type ModelAnswer, type ModelServer, startModelServer } from "@suite/testkit";
import { startWith } from "../collector/collector.js";
import { killAll } from "../collector/process.js";
import { type Span, spansOf } from "../collector/spans.js";
import { type Jaeger, startJaeger, withJaeger } from "./jaeger.js";

/** One turn of a conversation. */
export interface Turn {
  readonly answers?: readonly ModelAnswer[];
  readonly input?: AgentInput;
  readonly stream?: boolean;
  /** See `clerk()`. */
  readonly maxAge?: number;
  readonly expiresIn?: number;
  readonly store?: string;
  /** Environment variables of the process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The end of a turn: completed, suspended or failed. */
export type Ended =
  | { readonly status: "completed" }
  | { readonly status: "suspended"; readonly pending: PendingState }
  | { readonly status: "failed"; readonly code: string; readonly message: string };

export type Take = (turn: Turn) => Promise<Ended>;

/** Expires a turn that waited too long; tells whether it was the first to. */
export type Sweep = (pending: PendingState, where?: Pick<Turn, "store">) => Promise<boolean>;

/** Takes turns, one after the other. */
export type Talk = (take: Take, sweep: Sweep) => Promise<unknown>;

/** Programs that send their spans to a collector, and the Jaeger behind it. */
export class Shop {
  readonly folder = mkdtempSync(join(tmpdir(), "shop-"));

  constructor(
    readonly jaeger: Jaeger,
    readonly model: ModelServer,
  ) {}

  /** The spans that Jaeger has of a conversation, when all that its programs sent has come to it. */
  async conversation(talk: Talk): Promise<readonly Span[]> {
    return spansOf(await this.traces(talk));
  }

  /** The traces that Jaeger has of a conversation, as OTLP in JSON: a text for each trace. */
  async traces(talk: Talk): Promise<readonly string[]> {
    const sessionId = randomUUID();
    const collector = await startWith({ EXPORT_ENDPOINT: this.jaeger.url });
    try {
      await talk(
        (turn) => this.#take(turn, collector.url, sessionId),
        (pending, where) => this.#sweep(pending, collector.url, where),
      );
    } finally {
      // It sends on all that it has before it ends.
      await collector.stop();
    }
    const traceIds = await this.jaeger.search("shop", { "gen_ai.conversation.id": sessionId });
    return Promise.all(traceIds.map((traceId) => this.jaeger.trace(traceId)));
  }

  async #take(turn: Turn, endpoint: string, sessionId: string): Promise<Ended> {
    const { answers = [], input = "Is it there?", stream = false, env, ...options } = turn;
    this.model.reset();
    this.model.script(...answers);
    const where = { modelUrl: this.model.url, ...options };
    return run("turn.mjs", { endpoint, input, stream, sessionId, where }, env) as Promise<Ended>;
  }

  #sweep(pending: PendingState, endpoint: string, where: Pick<Turn, "store"> = {}): Promise<boolean> {
    return run("sweep.mjs", { endpoint, pending, where: { modelUrl: this.model.url, ...where } }) as Promise<boolean>;
  }

  async close(): Promise<void> {
    await killAll();
    await this.model.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** A program of this folder, in a process of its own: what it is told, and what it tells, is JSON. */
const run = (script: string, told: unknown, env: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env } };
    const child = execFile(process.execPath, [join(import.meta.dirname, script)], options, (error, output, errors) =>
      error ? reject(new Error(errors, { cause: error })) : resolve(JSON.parse(output)),
    );
    child.stdin?.end(JSON.stringify(told));
  });

/** Tests that look at a shop's spans in Jaeger. */
export function inJaeger(title: string, tests: (shop: () => Shop) => void): void {
  jest.setTimeout(60_000);
  withJaeger(title, () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = new Shop(await startJaeger(), await startModelServer());
    });
    afterAll(() => shop.close());
    tests(() => shop);
  });
}
