import type { Message, Part } from "@suite/core";
import type { Tally } from "../redactor/tally.js";

interface Remembered {
  readonly contents: readonly unknown[];
  readonly result: Message;
  readonly tally: Tally;
}

/**
 * What became of a message, so that an agent's next turn costs its new text and not its history. Held as long as the
 * message, and used only while the message still holds the very same contents.
 */
export class MessageMemory {
  readonly #remembered = new WeakMap<Message, Remembered>();

  /** What became of this message; `treat` where that is not known. */
  recall(
    message: Message,
    tally: Tally,
    treat: (message: Message, tally: Tally) => Message,
    fresh: () => Tally,
  ): Message {
    const contents = contentsOf(message);
    const known = this.#remembered.get(message);
    if (known !== undefined && contents !== undefined && same(known.contents, contents)) {
      tally.merge(known.tally);
      return known.result;
    }
    const found = fresh();
    const result = treat(message, found);
    tally.merge(found);
    if (contents !== undefined) this.#remembered.set(message, { contents, result, tally: found });
    return result;
  }
}

/** Every key and every leaf, in order; undefined where something is not plain data. */
function contentsOf(message: Message): unknown[] | undefined {
  const contents: unknown[] = [message.name];
  for (const part of message.parts) {
    contents.push(part.type);
    if (part.type === "text" || part.type === "reasoning") contents.push(part.content);
    else if (!flatten(part, contents)) return undefined;
  }
  return contents;
}

function flatten(part: Part, contents: unknown[]): boolean {
  const seen = new Set<unknown>();
  const queue: unknown[] = [part];
  for (const value of queue) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
    for (const key of Reflect.ownKeys(value)) {
      if (value === part && key === "native") continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
      if (descriptor === undefined || descriptor.get !== undefined) return false;
      contents.push(key, descriptor.value);
      queue.push(descriptor.value);
    }
  }
  return true;
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => Object.is(one, b[index]));
}
