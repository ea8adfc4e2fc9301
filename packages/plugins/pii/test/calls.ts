import {
  type Delta,
  type Kind,
  type Message,
  type ModelRequest,
  message,
  type Notification,
  type Plugin,
  type Reply,
  type Request,
  type Tool,
} from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { type PiiOptions, pii, type Rules } from "@suite/pii";

export const rules: Rules = { email: "redact", credit_card: "mask" };
export const everywhere = {
  output: true,
  toolArguments: true,
  toolResults: true,
  humanInput: true,
  systemPrompt: true,
};
export const mail = "jane.doe@example.com";
export const gone = "[REDACTED_EMAIL]";

/** The innermost call: answers with a value or a stream, which may break, or throws. */
export interface Core {
  readonly value?: unknown;
  readonly stream?: readonly unknown[];
  /** The error that it throws, behind the stream, or at once. */
  readonly throws?: unknown;
}

/** Runs one call of a kind through a stack with this plugin, and tells what was seen on all sides. */
export async function call<K extends Kind>(plugin: Plugin, kind: K, request: Request<K>, core: Core) {
  const notifications: Notification[] = [];
  const stack = new PluginStack([{ name: "ears", observe: (one) => void notifications.push(one) }, plugin]);
  const run = stack.begin();
  let seen: Request<K> | undefined;
  const chunks: unknown[] = [];
  let error: unknown;
  let final: unknown;
  try {
    const outcome = await stack.call(kind, run, request, async (invocation) => {
      seen = invocation.request as Request<K>;
      const { stream, value } = core;
      if (stream === undefined && "throws" in core) throw core.throws;
      invocation.respond((stream === undefined ? { value } : { stream: given(stream, core) }) as never);
    });
    for await (const chunk of outcome) chunks.push(chunk);
    final = await outcome.final();
  } catch (thrown) {
    error = thrown;
  }
  await run.end();
  return { seen, chunks, error, final, notifications };
}

async function* given(chunks: readonly unknown[], core: Core): AsyncGenerator<unknown, void> {
  yield* chunks;
  if ("throws" in core) throw core.throws;
}

export const requestOf = (...messages: Message[]): ModelRequest => ({ model: "m", messages, tools: [] });
export const requestWith = (...tools: Tool[]): ModelRequest => ({ model: "m", messages: [], tools });
export const reply = (text: string): Reply => ({ message: message("assistant", text), finishReason: "stop" });
export const piece = (content: string, at = "0"): Delta => ({ type: "part", at, part: { type: "text", content } });
export const pieces = (text: string, size: number): Delta[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    piece(text.slice(index * size, (index + 1) * size)),
  );
export const plugin = (options: PiiOptions = {}, own: Rules = rules): Plugin => pii(own, options) as Plugin;
/** The names of a plugin's members, but of its settings, which every one has. */
export const membersOf = (made: Plugin): string[] =>
  Object.keys(made)
    .filter((name) => name !== "settings")
    .sort();
export const textsOf = (chunks: readonly unknown[]): string[] =>
  (chunks as Delta[]).flatMap((delta) =>
    delta.type === "part" && delta.part.type === "text" ? [delta.part.content] : [],
  );
