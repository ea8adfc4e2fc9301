import type { Message, Part, Tool } from "@suite/core";
import { toolContentOf } from "@suite/core/messages";
import { amount, callable } from "@suite/kit/options";
import { ContextError } from "./errors.js";
import { textOfValue } from "./text.js";

/** Counts the tokens of a string with a tokenizer. Must be synchronous and deterministic. */
export type CountTokens = (text: string) => number;

/** The options of plugins that count tokens. */
export interface CountOptions {
  /**
   * The token counter. Default: a quarter of the characters, which is a good estimate for English, and too low for
   * scripts such as Chinese. Pass a tokenizer for those.
   */
  readonly countTokens?: CountTokens;
  /** The number of tokens of an image or another file, which has no text to count. Default: 1000. */
  readonly mediaTokens?: number;
}

/** The checks of these options. */
export const counting = { countTokens: callable, mediaTokens: amount } as const;

const quarter: CountTokens = (text) => Math.ceil(text.length / 4);

/**
 * The sizes of messages and tools, in tokens or characters. Cached per object, because neutral messages never change.
 */
export class Sizes {
  readonly #known = new WeakMap<object, number>();

  constructor(
    readonly count: CountTokens,
    readonly media: number,
  ) {}

  static ofTokens({ countTokens = quarter, mediaTokens = 1000 }: CountOptions): Sizes {
    return new Sizes(countTokens, mediaTokens);
  }

  /**
   * Returns the size of a string.
   * @throws {ContextError} `ERR_CONTEXT_COUNT`
   */
  text(text: string): number {
    const size = this.count(text);
    if (size >= 0 && size < Number.POSITIVE_INFINITY) return size;
    throw new ContextError(
      "ERR_CONTEXT_COUNT",
      "The token counter did not return a number of at least 0. Use another counter.",
    );
  }

  message(message: Message): number {
    return this.#once(message, () => message.parts.reduce((sum, part) => sum + this.#part(part), 0));
  }

  messages(messages: readonly Message[]): number {
    let sum = 0;
    for (const message of messages) sum += this.message(message);
    return sum;
  }

  tools(tools: readonly Tool[]): number {
    let sum = 0;
    for (const tool of tools) {
      sum += this.#once(tool, () =>
        this.text(`${tool.name} ${tool.description ?? ""} ${textOfValue(tool.parameters)}`),
      );
    }
    return sum;
  }

  #once(of: object, size: () => number): number {
    let known = this.#known.get(of);
    if (known === undefined) {
      known = size();
      this.#known.set(of, known);
    }
    return known;
  }

  #part(part: Part): number {
    switch (part.type) {
      case "text":
      case "reasoning":
        return this.text(part.content);
      case "compaction":
        return this.text(part.content ?? "");
      case "tool_call":
        return this.text(part.name) + this.text(textOfValue(part.arguments));
      case "tool_call_response":
        return (
          toolContentOf(part.response)?.reduce((sum, each) => sum + this.#part(each), 0) ??
          this.text(textOfValue(part.response))
        );
      case "server_tool_call":
        return this.text(textOfValue(part.serverToolCall));
      case "server_tool_call_response":
        return this.text(textOfValue(part.serverToolCallResponse));
      case "native":
        return this.text(textOfValue(part.value));
      default:
        return this.media;
    }
  }
}
