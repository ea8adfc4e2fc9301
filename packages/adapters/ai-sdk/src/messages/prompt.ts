import type { Message } from "@suite/core";
import { isRecord, type PromptMessage } from "../framework.js";
import { readMessage, toMessage } from "./to-neutral.js";

/**
 * The reader of one turn's prompts. The framework makes all messages anew for each step: one that says the same as in the
 * step before is the same neutral message, so that nobody converts, or looks through, a long history once a step.
 */
export class PromptReader {
  #originals: readonly PromptMessage[] = [];
  #messages: readonly Message[] = [];

  read(prompt: readonly PromptMessage[]): readonly Message[] {
    const messages = prompt.map((message, index) => {
      const before = this.#originals[index];
      // The very same object may have been changed since.
      if (before === message) return toMessage(message);
      const known = before !== undefined && saysTheSame(before, message) ? this.#messages[index] : undefined;
      return known ?? readMessage(message);
    });
    this.#originals = prompt;
    this.#messages = messages;
    return messages;
  }
}

/** Whether two messages have the same content: the same texts, and for all else the same objects. */
function saysTheSame(one: PromptMessage, other: PromptMessage): boolean {
  if (one.role !== other.role || one.providerOptions !== other.providerOptions) return false;
  const { content: left } = one;
  const { content: right } = other;
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((part, index) => hasSameFields(part, right[index]));
}

function hasSameFields(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]));
}
