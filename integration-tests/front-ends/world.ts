import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Approvals, LedgerOptions, Question } from "@suite/approval";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { blocks } from "../../scripts/readme.mjs";
import { root } from "../../scripts/workspaces.mjs";

/** A question at a front end. */
export interface Asked {
  readonly question: Question;
  /** Sends an answer as the front end does. Returns "accepted", or the reason why the server refused it. */
  answer(answer: unknown): Promise<string>;
}

/** The server of a front end, with what the programs of the README share. */
export interface World {
  /** Imports a program of the README of `@suite/approval`. */
  load<M>(name: string): Promise<M>;
  /** Serves a handler of web requests on this machine. Returns its address. */
  serve(handle: (request: Request) => Promise<Response>): Promise<string>;
  onClose(close: () => unknown): void;
}

/** The module that the programs of the README share. */
export interface Desk {
  readonly desk: Approvals;
  readonly options: LedgerOptions;
  readonly refund: (input: { readonly eur: number }) => string;
}

const readme = readFileSync(join(root, "packages/plugins/approval/README.md"), "utf8");

/**
 * Starts a model that asks for a refund, for the default clients of all frameworks. They read its address when they are
 * loaded.
 */
export async function startRefundModel(): Promise<ModelServer> {
  const model = await startModelServer();
  model.script(({ body }) => {
    const history = JSON.stringify(body);
    if (!/"role":"tool"|function_call_output/.test(history)) {
      return { toolCalls: [{ name: "refund", arguments: { eur: 40 } }] };
    }
    return { text: history.includes('"refunded') ? "Done." : "Not done." };
  });
  Object.assign(process.env, {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "none",
    APPROVAL_KEY: "a key of this test: 32 bytes and more",
  });
  return model;
}

/** Writes the programs of the README to a folder in which packages are found. */
export async function worldOf(): Promise<World & { close(): Promise<void> }> {
  const closes: (() => unknown)[] = [];
  const folder = await mkdtemp(join(import.meta.dirname, "programs-"));
  closes.push(() => rm(folder, { recursive: true }));
  for (const program of blocks(readme, "js")) {
    const [, name] = /^\/\/ (front-ends\/\w+\.mjs)$/m.exec(program) ?? [];
    if (name === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), program);
  }
  return {
    load: (name) => import(join(folder, "front-ends", `${name}.mjs`)),
    serve: (handle) => serve(handle, closes),
    onClose: (close) => void closes.push(close),
    async close() {
      for (const close of closes.reverse()) await close();
    },
  };
}

async function serve(handle: (request: Request) => Promise<Response>, closes: (() => unknown)[]): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "POST", headers } = incoming;
    const body = await buffer(incoming);
    const request = new Request("http://127.0.0.1/", { method, headers: headers as Record<string, string>, body });
    const response = await handle(request).catch((error: unknown) => new Response(String(error), { status: 500 }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
