import { type Message, type Part, type Plugin, textOf } from "@suite/core";
import { type ContentPart, type ToolContent, toolContent, toolContentOf } from "@suite/core/messages";
import { count } from "@suite/kit/options";
import { type BoundOptions, bounded, bounding } from "./bounded.js";
import { Sizes } from "./count.js";
import { checkOptions, invalid } from "./options.js";
import { middleOut, textOfValue } from "./text.js";

/** The options of `contentLimit`. At least one limit is needed. */
export interface ContentLimitOptions extends BoundOptions {
  /** The maximum number of characters sent to the model: system prompt, tools and messages. */
  readonly characters?: number;
  /**
   * The maximum number of characters of one text part or tool result. The middle of a longer one is replaced by a note.
   * The system prompt, reasoning and call arguments are not cut.
   */
  readonly partCharacters?: number;
}

/**
 * Limits the characters sent to the model, per part and in total (the total works like `tokenLimit`). The run's history
 * is not changed.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`; in a run `ERR_CONTEXT_TOO_LARGE`
 * @example
 * ```ts
 * contentLimit({ partCharacters: 20_000, characters: 400_000 });
 * ```
 */
export function contentLimit(options: ContentLimitOptions): Plugin {
  const checked = checkOptions("contentLimit", options, { ...bounding, characters: count, partCharacters: count });
  const { characters, partCharacters } = options;
  if (characters === undefined && partCharacters === undefined) {
    throw invalid("contentLimit() needs characters, partCharacters, or both.");
  }
  const name = options.name ?? `content-limit ${[partCharacters, characters].filter(Boolean).join("/")}`;
  const sizes = new Sizes((text) => text.length, 0);
  const shorter = partCharacters === undefined ? undefined : new Shortened(partCharacters);
  return bounded({
    ...checked,
    name,
    unit: "characters",
    maximum: characters ?? Number.MAX_SAFE_INTEGER,
    sizeOf: (message) => (characters === undefined ? 0 : sizes.message(message)),
    fixed: ({ tools }, system) => (characters === undefined ? 0 : sizes.messages(system) + sizes.tools(tools)),
    ...(shorter !== undefined && { shorten: (messages) => shorter.of(messages) }),
  });
}

/** Messages with parts of limited length. Each is shortened once, so that every request contains the same object. */
class Shortened {
  readonly #known = new WeakMap<Message, Message>();

  constructor(readonly maximum: number) {}

  of(messages: readonly Message[]): { readonly messages: readonly Message[]; readonly shortened: number } {
    let changed: Message[] | undefined;
    let shortened = 0;
    for (const [index, message] of messages.entries()) {
      const short = this.#message(message);
      if (short === message) continue;
      changed ??= [...messages];
      changed[index] = short;
      shortened++;
    }
    return { messages: changed ?? messages, shortened };
  }

  #message(message: Message): Message {
    if (message.role === "system") return message;
    let known = this.#known.get(message);
    if (known === undefined) {
      const parts = message.parts.map((part) => this.#part(part));
      const { native: _, ...rest } = message;
      known = parts.every((part, index) => part === message.parts[index]) ? message : { ...rest, parts };
      this.#known.set(message, known);
    }
    return known;
  }

  #part(part: Part): Part {
    if (part.type === "text") {
      return part.content.length <= this.maximum
        ? part
        : { type: "text", content: middleOut(part.content, this.maximum) };
    }
    if (part.type !== "tool_call_response") return part;
    const content = toolContentOf(part.response);
    if (content !== undefined) {
      const { native: _, ...rest } = part;
      return textOf(content).length <= this.maximum ? part : { ...rest, response: this.#content(content) };
    }
    const text = textOfValue(part.response);
    if (text.length <= this.maximum) return part;
    const { native: _, ...rest } = part;
    return { ...rest, response: middleOut(text, this.maximum) };
  }

  /** Limits the total length of the text parts. Images and other files are not cut. */
  #content(parts: readonly ContentPart[]): ToolContent {
    let remaining = this.maximum;
    let rest = textOf(parts).length;
    return toolContent(
      parts.flatMap((part) => {
        if (part.type !== "text") return part;
        rest -= part.content.length;
        // Together, the texts exceed the maximum. A shortened or omitted text needs room for its mark.
        const complete = rest > 0 ? `${part.content}…` : part.content;
        const fits = complete.length <= remaining;
        const content = fits ? part.content : remaining > 0 ? middleOut(complete, remaining) : "";
        remaining = fits ? remaining - content.length : 0;
        return content === "" ? [] : { type: "text" as const, content };
      }),
    );
  }
}
