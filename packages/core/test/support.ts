import type {
  CallCore,
  Delta,
  Kind,
  Message,
  ModelRequest,
  Part,
  Plugin,
  Request,
  RunOptions,
  Settlement,
  Stage,
} from "@suite/core";
import { PluginStack, type Run } from "@suite/core";

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

/** The code of what this rejects with, or the error itself where it has none. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return "did not reject";
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}
