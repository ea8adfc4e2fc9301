import type { Message, Tool } from "@suite/core";
import { textOfValue } from "./text.js";

/** Prints by which messages and tools are known again: of what they say, not of the object. Each is made once. */
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

  #once(of: object, said: () => unknown): string {
    let known = this.#known.get(of);
    if (known === undefined) {
      known = printOf(textOfValue(said()));
      this.#known.set(of, known);
    }
    return known;
  }
}

/** Characters of a text that are looked at: of a longer one every second, every third, … */
const mostCharacters = 50_000;

/** Two FNV-1a hashes of a text, and its length: nobody's secret depends on it. */
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
