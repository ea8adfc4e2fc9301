import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "@jest/globals";
import type { Delta, Kind, Message, ModelRequest, Part, Plugin, Request, Settlement, Stage } from "@suite/core";
import type { CallCore, RunOptions } from "@suite/core/adapter";
import { PluginStack, type Run } from "@suite/core/adapter";
import type { Hooks } from "@suite/core/contract";

export const text = (content: string): Part => ({ type: "text", content });
export const piece = (content: string, at = "0"): Delta => ({ type: "part", at, part: text(content) });
export const user = (content: string): Message => ({ role: "user", parts: [text(content)] });
export const read = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === "text" ? part.content : "")).join("");
export const request: ModelRequest = { model: "m", messages: [user("hello")], tools: [] };

/** A stream of words, as a model would have it. */
export async function* words(...all: string[]): AsyncGenerator<Delta, void> {
  for (const word of all) yield piece(word);
  yield { type: "finish", usage: { inputTokens: 1, outputTokens: all.length } };
}

/** A core that streams these words. */
export const streams =
  (...all: string[]): CallCore<"model"> =>
  async (invocation) => {
    invocation.respond({ stream: words(...all) });
  };

/** A core that answers with these words at once. */
export const answers =
  (content: string): CallCore<"model"> =>
  async (invocation) => {
    invocation.respond({ value: { message: { role: "assistant", parts: [text(content)] } } });
  };

/** A plugin whose model layer adds one stage. */
export const staged = (stage: Stage<Delta, never>, name = "staged"): Plugin => ({
  name,
  async model(invocation, callNext) {
    await callNext();
    invocation.pipe(stage as Stage<Delta, unknown>);
  },
});

/** Notes each settlement's status. */
export const settles = (log: string[], name = "settles"): Plugin =>
  staged({ settle: (settlement: Settlement<never>) => void log.push(settlement.status) }, name);

/** One call in a run of its own. */
export async function call<K extends Kind>(
  kind: K,
  plugins: readonly Plugin[],
  asked: Request<K>,
  core: CallCore<K>,
  options: RunOptions = {},
) {
  const stack = new PluginStack(plugins);
  const run: Run = stack.begin(options);
  return { run, stack, outcome: await stack.call(kind, run, asked, core) };
}

/** The text of one model call in the end. */
export const said = async (...given: Parameters<typeof call<"model">>): Promise<string> =>
  read((await (await call(...given)).outcome.final()).message.parts);

/** The code of what this rejects with, or the error itself where it has none. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return "did not reject";
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}

/** Whether something ends within so many milliseconds of a clock that goes on as it is told, however busy the machine is. */
export async function endsWithin(milliseconds: number, work: () => Promise<unknown>): Promise<boolean> {
  jest.useFakeTimers();
  try {
    let ended = false;
    const working = work().finally(() => {
      ended = true;
    });
    await jest.advanceTimersByTimeAsync(milliseconds - 1);
    const inTime = ended;
    await jest.runAllTimersAsync();
    await working;
    return inTime;
  } finally {
    jest.useRealTimers();
  }
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());

/** A plugin of this one model layer. */
export const layer = (model: NonNullable<Hooks["model"]>, name = "layer"): Plugin => ({ name, model });

/** The text of a stream, read to its end. */
export async function collect(source: AsyncIterable<Delta>): Promise<string> {
  let all = "";
  for await (const delta of source) if (delta.type === "part") all += read([delta.part]);
  return all;
}

type Core = typeof import("@suite/core") &
  typeof import("@suite/core/adapter") &
  typeof import("@suite/core/contract") &
  typeof import("@suite/core/propagation");

/** Loads another copy of this package, as if a process had two versions of it. */
export async function copyOfCore(): Promise<Core> {
  return inTemporaryFolder(async (folder) => {
    await cp(join(import.meta.dirname, "..", "src"), folder, { recursive: true });
    const entries = ["index", "adapter", "contract", "propagation"];
    const loaded = await Promise.all(entries.map((entry) => import(join(folder, `${entry}.ts`))));
    return Object.assign({}, ...loaded);
  });
}

/** Runs TypeScript as a module that sees the suite's packages. */
export async function runModule(code: string): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await writeFile(join(folder, "example.ts"), code);
    await import(join(folder, "example.ts"));
  });
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "suite-core-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
