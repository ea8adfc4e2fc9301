import { assembleReply } from "../engine/codec.js";
import type { Delta, FinishDelta } from "../messages/delta.js";
import type { Part, Reply } from "../messages/message.js";
import { Edit, type WholeValue } from "./edit.js";
import type { Draft, Place } from "./place.js";

/** Changes a complete answer in place, treating it like the only event of a stream. */
export class AnswerEditor {
  /** The answer as the layers see it. */
  readonly reply: Reply;
  readonly #edit: Edit;
  /** The names of the reply's parts, in order. */
  readonly #names: readonly string[];

  /** @param read registers the strings, values and finish mark of the body. */
  constructor(body: Draft, read: (edit: Edit) => void) {
    this.#edit = new Edit(body, new Map<string, Place>());
    read(this.#edit);
    const deltas = this.#edit.deltas.map(asPart);
    this.reply = assembleReply(deltas);
    this.#names = [...new Set(deltas.flatMap((delta) => (delta.type === "part" ? [delta.at] : [])))];
  }

  /**
   * Puts the parts that the layers let through into the body. Returns true if the body has changed.
   *
   * @param part returns the part for one of the reply's parts, or `undefined` if a layer removed it.
   * @param finish the finish mark, if a layer changed it.
   */
  write(part: (index: number) => Part | undefined, finish?: FinishDelta): boolean {
    for (const [index, at] of this.#names.entries()) {
      const before = this.reply.message.parts[index] as Part;
      this.#writePart(at, before, part(index));
    }
    if (finish !== undefined) {
      this.#edit.finishMark?.write?.(finish);
      this.#edit.touched = true;
    }
    const filled = this.#edit.fill();
    return this.#edit.complete() || filled;
  }

  #writePart(at: string, before: Part, part: Part | undefined): void {
    const place = this.#edit.places.get(at);
    const value = this.#edit.values.find(({ delta }) => isNamed(delta, at));
    if (part !== undefined && isEqualPart(part, before)) place?.release(place.came);
    else if (part?.type !== before.type) value?.write(undefined);
    else {
      place?.release(textOf(part));
      if (value !== undefined && (place === undefined || isChanged(value, part)))
        value.write(part.type === "native" ? part.value : part);
    }
  }
}

/** Turns a value outside the message into a part, since a complete answer has no events. */
const asPart = (delta: Delta): Delta =>
  delta.type === "event" ? { type: "part", at: delta.name, part: { type: "native", value: delta.value } } : delta;

const isNamed = (delta: Delta, at: string): boolean =>
  delta.type === "event" ? delta.name === at : "at" in delta && delta.at === at;

function textOf(part: Part): string {
  if (part.type === "text" || part.type === "reasoning") return part.content;
  if (part.type === "server_tool_call") return JSON.stringify(part.serverToolCall.input ?? {});
  const args = part.type === "tool_call" ? (part.arguments ?? {}) : "";
  return typeof args === "string" ? args : JSON.stringify(args);
}

/** True if more than the arguments of a call has changed. The arguments are a separate place. */
function isChanged({ delta }: WholeValue, part: Part): boolean {
  if (delta.type !== "part" || delta.part.type !== "tool_call" || part.type !== "tool_call") return true;
  return delta.part.id !== part.id || delta.part.name !== part.name;
}

/** True if two parts are equal, even if one was assembled again from its pieces. */
function isEqualPart(part: Part, before: Part): boolean {
  if (part === before) return true;
  if (part.type !== before.type) return false;
  if (part.type === "text" && before.type === "text") return part.content === before.content;
  return JSON.stringify(part) === JSON.stringify(before);
}
