import type { Chunk, Final, Kind } from "../contract/kinds.js";
import type { Delta, FinishDelta, PartDelta } from "../messages/delta.js";
import type { Message, Part, Reply } from "../messages/message.js";

/** Records chunks, only as far as the final value needs them. */
export interface Recorder<C, F> {
  add(chunk: C): void;
  /** Returns the value of the added chunks. Never throws. */
  final(): F;
}

/** The codec of a kind: it splits a plain value into chunks and joins chunks into a value. */
export interface Codec<C, F> {
  explode(final: F): readonly C[];
  /** True if the chunk has visible content. An event has none, nor has an empty piece that begins a part. */
  shows(chunk: C): boolean;
  /** @param original the plain value that the chunks were made from, if any. */
  recorder(original?: F): Recorder<C, F>;
}

/** Splits a plain reply into the deltas that a stream of it would have. */
export function explodeReply(reply: Reply): readonly Delta[] {
  const { message, ...finish } = reply;
  const deltas: Delta[] = [];
  for (const [index, part] of message.parts.entries()) {
    const at = `${index}`;
    deltas.push({ type: "part", at, part });
    if (part.type === "text" || part.type === "reasoning") deltas.push({ type: "part_end", at });
  }
  deltas.push({ type: "finish", ...finish });
  return deltas;
}

/**
 * A part while its pieces arrive. Contents are joined as strings, since a copy of the part per piece would cost more.
 */
interface Growing {
  part: Part;
  content: string | undefined;
}

/**
 * Joins deltas into a reply. Fields that deltas do not have are copied from `original`. If nothing changed, `original` itself
 * is returned.
 */
export function assembleReply(deltas: readonly Delta[], original?: Reply): Reply {
  const growing = new Map<string, Growing>();
  const json = new Map<string, string>();
  let finish: FinishDelta | undefined;
  for (const delta of deltas) {
    if (delta.type === "finish") finish = finish === undefined ? delta : { ...finish, ...delta };
    else if (delta.type === "part") grow(growing, delta);
    else if (delta.type === "arguments") json.set(delta.at, (json.get(delta.at) ?? "") + delta.json);
  }
  const all = Array.from(growing, ([at, part]) => grown(part, json.get(at)));
  if (original !== undefined && unchanged(original, all, finish)) return original;
  const name = original?.message.name;
  const message: Message = { role: "assistant", parts: all, ...(name !== undefined && { name }) };
  const { type: _, inPlace: __, ...rest }: FinishDelta = finish ?? { type: "finish" };
  return { message, ...rest };
}

function grow(growing: Map<string, Growing>, { at, part: piece }: PartDelta): void {
  const known = growing.get(at);
  if (known?.content !== undefined && "content" in piece && piece.type === known.part.type) {
    known.content += piece.content;
    // For example, a signature comes with the last piece.
    if (Object.keys(piece).length > 2) known.part = { ...known.part, ...piece };
    return;
  }
  const content = piece.type === "text" || piece.type === "reasoning" ? piece.content : undefined;
  growing.set(at, { part: piece, content });
}

function grown({ part, content }: Growing, json: string | undefined): Part {
  if (json !== undefined && part.type === "tool_call") return { ...part, arguments: parsed(json) };
  if (json !== undefined && part.type === "server_tool_call") {
    return { ...part, serverToolCall: { ...part.serverToolCall, input: parsed(json) } };
  }
  return content === undefined || !("content" in part) || part.content === content
    ? part
    : ({ ...part, content } as Part);
}

/** Parses the arguments from a model. If they are not JSON, the string is kept, and the tool's schema rejects it. */
export function parsed(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const unchanged = (original: Reply, parts: readonly Part[], finish: FinishDelta | undefined): boolean =>
  parts.length === original.message.parts.length &&
  parts.every((part, index) => part === original.message.parts[index]) &&
  finish?.usage === original.usage &&
  finish?.finishReason === original.finishReason &&
  finish?.response === original.response;

const reply: Codec<Delta, Reply> = {
  explode: explodeReply,
  shows: (delta) =>
    delta.type === "part"
      ? !("content" in delta.part) || delta.part.content !== ""
      : delta.type !== "event" && delta.type !== "part_end",
  recorder(original) {
    const recorded: Delta[] = [];
    return {
      add: (delta) => {
        if (delta.type !== "event" && delta.type !== "part_end") recorded.push(delta);
      },
      final: () => assembleReply(recorded, original),
    };
  },
};

const valueCodec: Codec<unknown, unknown> = {
  explode: (final) => [final],
  shows: () => true,
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

/**
 * The kinds that stream deltas. The compiler checks that the list is complete. All other kinds answer with one value.
 */
const streamed: { readonly [K in Kind as Chunk<K> extends Delta ? K : never]: Codec<Chunk<K>, Final<K>> } = {
  agent: reply,
  reasoning: reply,
  model: reply,
};

/** The codec of a kind. */
export const codecOf = <K extends Kind>(kind: K): Codec<Chunk<K>, Final<K>> =>
  ((streamed as { readonly [kind in Kind]?: unknown })[kind] ?? valueCodec) as Codec<Chunk<K>, Final<K>>;
