import type { Chunk, Final, Kind } from "../contract/kinds.js";
import type { Delta, FinishDelta } from "./delta.js";
import type { Message, Part, Reply } from "./message.js";

/** Remembers chunks that went by, as little of them as the final value needs. */
export interface Recorder<C, F> {
  add(chunk: C): void;
  /** The value of what was added. Never throws. */
  final(): F;
}

/** How a kind's plain value becomes chunks, and its chunks a value. */
export interface Codec<C, F> {
  explode(final: F): readonly C[];
  /** `whole` is the plain value that the chunks were made from, where there is one. */
  recorder(whole?: F): Recorder<C, F>;
}

/** A plain reply as the deltas that a stream of it would have had. */
export function explodeReply(reply: Reply): readonly Delta[] {
  const { message, ...finish } = reply;
  const deltas: Delta[] = message.parts.map((part, index) => ({ type: "part", at: `${index}`, part }));
  return [...deltas, { type: "finish", ...finish }];
}

/** The reply that these deltas add up to. `whole` lends what deltas do not carry, and is given back itself if nothing changed. */
export function assembleReply(deltas: readonly Delta[], whole?: Reply): Reply {
  const parts = new Map<string, Part>();
  const json = new Map<string, string>();
  let finish: FinishDelta | undefined;
  for (const delta of deltas) {
    if (delta.type === "part") parts.set(delta.at, joined(parts.get(delta.at), delta.part));
    else if (delta.type === "arguments") json.set(delta.at, (json.get(delta.at) ?? "") + delta.json);
    else if (delta.type === "finish") finish = finish === undefined ? delta : { ...finish, ...delta };
  }
  for (const [at, text] of json) {
    const part = parts.get(at);
    if (part?.type === "tool_call") parts.set(at, { ...part, arguments: parsed(text) });
  }
  const all = [...parts.values()];
  if (whole !== undefined && unchanged(whole, all, finish)) return whole;
  const name = whole?.message.name;
  const message: Message = { role: "assistant", parts: all, ...(name !== undefined && { name }) };
  const { type: _, ...rest } = finish ?? { type: "finish" };
  return { message, ...rest };
}

const joined = (before: Part | undefined, piece: Part): Part =>
  (piece.type === "text" || piece.type === "reasoning") && before?.type === piece.type
    ? { ...before, ...piece, content: before.content + piece.content }
    : piece;

/** What a model wrote as arguments need not be JSON: then it stays the text that it is, and the tool's schema refuses it. */
function parsed(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const unchanged = (whole: Reply, parts: readonly Part[], finish: FinishDelta | undefined): boolean =>
  parts.length === whole.message.parts.length &&
  parts.every((part, index) => part === whole.message.parts[index]) &&
  finish?.usage === whole.usage &&
  finish?.finishReason === whole.finishReason &&
  finish?.response === whole.response;

const reply: Codec<Delta, Reply> = {
  explode: explodeReply,
  recorder(whole) {
    const kept: Delta[] = [];
    return {
      add: (delta) => {
        if (delta.type !== "event") kept.push(delta);
      },
      final: () => assembleReply(kept, whole),
    };
  },
};

const single: Codec<unknown, unknown> = {
  explode: (final) => [final],
  recorder() {
    let last: unknown;
    return {
      add: (chunk) => {
        last = chunk;
      },
      final: () => last,
    };
  },
};

const codecs = {
  agent: reply,
  reasoning: reply,
  model: reply,
  tool: single,
  humanInput: single,
  compressContext: single,
};

/** The codec of a kind. */
export const codecOf = <K extends Kind>(kind: K): Codec<Chunk<K>, Final<K>> =>
  codecs[kind] as Codec<Chunk<K>, Final<K>>;
