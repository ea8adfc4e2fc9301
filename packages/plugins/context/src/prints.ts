import type { Message, Tool } from "@suite/core";
import { textOfValue } from "./text.js";

/** Fingerprints that identify messages and tools by content, not by object. Each is computed once. */
export class Prints {
  readonly #known = new WeakMap<object, string>();

  ofMessages(messages: readonly Message[]): readonly string[] {
    return messages.map((message) =>
      this.#once(message, () => [message.role, message.parts.map(({ ...part }) => ({ ...part, native: undefined }))]),
    );
  }

  ofTools(tools: readonly Tool[]): string {
    return tools.map((tool) => this.#once(tool, () => [tool.name, tool.description, tool.parameters])).join();
  }

  #once(of: object, content: () => unknown): string {
    let known = this.#known.get(of);
    if (known === undefined) {
      known = printOf(textOfValue(content()));
      this.#known.set(of, known);
    }
    return known;
  }
}

/** The maximum number of characters that are hashed. Longer strings are sampled: every second, third, … character. */
const mostCharacters = 50_000;

/** Returns two FNV-1a hashes of a string and its length. Not used for security. */
function printOf(text: string): string {
  const stride = Math.ceil(text.length / mostCharacters);
  let one = 0x811c9dc5;
  let two = 0x01000193;
  for (let at = 0; at < text.length; at += stride) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b);
  }
  return `${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}.${text.length}`;
}
