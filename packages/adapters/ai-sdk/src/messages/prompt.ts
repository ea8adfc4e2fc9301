import type { Message } from "@suite/core";
import { isRecord } from "@suite/kit";
import type { PromptMessage } from "../framework.js";
import { readMessage, toMessage } from "./to-neutral.js";

/**
 * Reads the prompts of one turn. The framework creates new message objects for each step. A message with the same
 * content as in the previous step gets the same neutral object, so a long history is not converted and searched in each
 * step.
 */
export class PromptReader {
  #originals: readonly PromptMessage[] = [];
  #messages: readonly Message[] = [];

  read(prompt: readonly PromptMessage[]): readonly Message[] {
    const messages = prompt.map((message, index) => {
      const before = this.#originals[index];
      // The same object may have been changed since.
      if (before === message) return toMessage(message);
      const known = before !== undefined && hasSameContent(before, message) ? this.#messages[index] : undefined;
      return known ?? readMessage(message);
    });
    this.#originals = prompt;
    this.#messages = messages;
    return messages;
  }
}

/** Returns true if two messages have equal content: equal strings, and identical objects otherwise. */
function hasSameContent(one: PromptMessage, other: PromptMessage): boolean {
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
