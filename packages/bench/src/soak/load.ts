import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, type PendingState, result } from "@suite/agent";
import type { Approvals, PersonDecision } from "@suite/approval";
import type { Random } from "../random.js";

/** The number of runs by how they ended. A resumed run counts again. */
export interface Counts {
  started: number;
  completed: number;
  failed: number;
  aborted: number;
  suspended: number;
  resumed: number;
  expired: number;
}

/** The options of a load. */
export interface LoadOptions {
  /** The agents. Each can resume a run that another one has suspended. */
  readonly agents: readonly Agent[];
  readonly approvals: Approvals;
  readonly asked: RequestRegister;
  readonly random: Random;
  readonly users: readonly string[];
  /** Runs at the same time. */
  readonly lanes: number;
  /** The part of one core that this process is to use. */
  readonly share: number;
  readonly expiresIn: number;
}

/** The requests that people were asked, by run, as a mailbox would have them; the oldest go. */
export class RequestRegister {
  readonly #ids = new Map<string, string[]>();

  add({ id, runId }: { readonly id: string; readonly runId: string }): void {
    const ids = this.#ids.get(runId) ?? [];
    this.#ids.set(runId, [...ids, id]);
    for (const oldest of this.#ids.keys()) {
      if (this.#ids.size <= MAILBOX) return;
      this.#ids.delete(oldest);
    }
  }

  of = (runId: string): readonly string[] => this.#ids.get(runId) ?? [];
}

const MAILBOX = 300;

interface Waiting {
  readonly pending: string;
  /** The time at which a person decides, or at which an abandoned request expires. */
  readonly at: number;
  readonly abandoned: boolean;
  readonly tries: number;
}

const questions = [
  "Where is my order 1001? Write to omar@example.org.",
  "Please refund order 1002, my card is 4111 1111 1111 1111.",
  "Can you pick up order 1003 tomorrow? My address: 203.0.113.77.",
  "What does the invoice of order 4711 mean?",
  "My parcels go to the neighbour, always.",
];
/** A question that comes again: its answer may be known. */
const known = "When are you open?";

/** Runs of a support desk at random: whole and streamed, read to the end, aborted or left, suspended and resumed. */
export class Load {
  readonly #options: LoadOptions;
  readonly counts: Counts = { started: 0, completed: 0, failed: 0, aborted: 0, suspended: 0, resumed: 0, expired: 0 };
  /** Failures by code, or by the name of the error. */
  readonly failures: Record<string, number> = {};
  readonly #waiting: Waiting[] = [];
  readonly #start = { cpu: process.cpuUsage(), at: performance.now() };
  #atWork = 0;
  #held = false;
  #ended = false;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Resolves when `end` was called, and all that waited has gone on or expired. */
  async work(): Promise<void> {
    const lanes = Array.from({ length: this.#options.lanes }, () => this.#lane());
    await Promise.all(lanes);
  }

  end(): void {
    this.#ended = true;
  }

  /** Waits until no run is active, and starts none while `look` runs. */
  async quietly<T>(look: () => Promise<T>): Promise<T> {
    this.#held = true;
    while (this.#atWork > 0) await sleep(10);
    await sleep(300); // work after the end of a run, and connections that close
    try {
      return await look();
    } finally {
      this.#held = false;
    }
  }

  async #lane(): Promise<void> {
    for (;;) {
      if (this.#held) {
        await sleep(20);
        continue;
      }
      const due = this.#due();
      if (due === undefined && this.#ended) {
        if (this.#waiting.length === 0) return;
        await sleep(50);
        continue;
      }
      this.#atWork++;
      try {
        await (due === undefined ? this.#begin() : this.#goOn(due));
      } finally {
        this.#atWork--;
      }
      await this.#rest();
    }
  }

  /** Pauses for so long that this process uses its share of a core, and no more. */
  async #rest(): Promise<void> {
    const { user, system } = process.cpuUsage(this.#start.cpu);
    const used = (user + system) / 1000;
    const ahead = used / this.#options.share - (performance.now() - this.#start.at);
    await sleep(Math.min(2000, Math.max(5, ahead)));
  }

  #due(): Waiting | undefined {
    const index = this.#waiting.findIndex(({ at }) => at <= Date.now());
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async #begin(): Promise<void> {
    const { random, users } = this.#options;
    this.counts.started++;
    // A question without a user: the same for all, so that the answer may be cached.
    if (random(6) === 0) return this.#leg(known, {}, 0);
    const userId = this.#one(users);
    await this.#leg(this.#one(questions), { userId, sessionId: `${userId}-${random(4)}` }, 0);
  }

  /** Decides on the request that a run waits for and resumes it, or reports that it was abandoned. */
  async #goOn({ pending: stored, abandoned, tries }: Waiting): Promise<void> {
    const { approvals, asked, random } = this.#options;
    const pending = JSON.parse(stored) as PendingState;
    const again = (): void =>
      void this.#waiting.push({ pending: stored, at: Date.now() + 1000, abandoned, tries: tries + 1 });
    try {
      if (abandoned || tries > 5 || pending.expiresAt < Date.now()) {
        if (pending.expiresAt >= Date.now()) return again();
        if (await this.#agent().expire(pending)) this.counts.expired++;
        return;
      }
      for (const id of asked.of(pending.runId)) {
        if ((await approvals.decision(id)) === undefined) await approvals.decide(id, this.#decision());
      }
      const paid = pending.calls
        .filter(({ reason }) => reason !== "approval")
        .map((call) => result(call, { paid: random(100) }));
      const decisions = [...(await approvals.decisions(pending)), ...paid];
      if (decisions.length === 0) return again();
      this.counts.resumed++;
      await this.#leg({ pending, decisions }, { ...(pending.userId && { userId: pending.userId }) }, tries);
    } catch (error) {
      this.#failed(error);
      if (tries < 8) again();
    }
  }

  async #leg(
    input: Parameters<Agent["run"]>[0],
    options: { userId?: string; sessionId?: string },
    tries: number,
  ): Promise<void> {
    const { random } = this.#options;
    const agent = this.#agent();
    const way = random(10);
    const controller = new AbortController();
    try {
      if (way < 4) return this.#settled(await agent.run(input, options), tries);
      const stream = agent.stream(input, { ...options, signal: controller.signal });
      const stopAfter = way < 6 ? 1 + random(40) : Number.POSITIVE_INFINITY;
      let seen = 0;
      for await (const _ of stream) {
        if (++seen < stopAfter) continue;
        if (way === 4) controller.abort();
        else break;
      }
      if (seen >= stopAfter) {
        await stream.result.catch(() => {});
        this.counts.aborted++;
        return;
      }
      this.#settled(await stream.result, tries);
    } catch (error) {
      if (controller.signal.aborted) this.counts.aborted++;
      else this.#failed(error);
    }
  }

  #settled(done: Awaited<ReturnType<Agent["run"]>>, tries: number): void {
    if (done.status === "completed") {
      this.counts.completed++;
      return;
    }
    this.counts.suspended++;
    const { random, expiresIn } = this.#options;
    const abandoned = random(20) === 0;
    const at = Date.now() + (abandoned ? expiresIn + 500 : random(8000));
    // As in a file: another process may go on with it.
    this.#waiting.push({ pending: JSON.stringify(done.pending), at, abandoned, tries });
  }

  #decision(): PersonDecision {
    const by = "ann";
    switch (this.#options.random(4)) {
      case 0:
        return { decision: "reject", by, message: "Not this one." };
      case 1:
        return { decision: "respond", by, response: "It was refunded by hand." };
      default:
        return { decision: "approve", by };
    }
  }

  #failed(error: unknown): void {
    const { code, status, name, message } = Object(error) as Record<string, unknown>;
    const what = `${code ?? status ?? `${name}: ${message}`.replaceAll(/\d+/g, "…").slice(0, 100)}`;
    this.counts.failed++;
    this.failures[what] = (this.failures[what] ?? 0) + 1;
  }

  #agent = (): Agent => this.#one(this.#options.agents);

  #one<T>(list: readonly T[]): T {
    return list[this.#options.random(list.length)] as T;
  }
}
