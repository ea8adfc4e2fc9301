import type { Part, Redactor, Reply } from "@suite/core";
import { sourcesOf } from "@suite/core/adapter";
import type { Content, GenerateResult } from "../framework.js";
import { contentOf, partOf } from "./content.js";
import { finishOf, finishReasonOf, usageOf } from "./finish.js";
import { redactedMetadata, redactedWarnings, withoutEchoes } from "./metadata.js";
import type { WithheldReasoning } from "./withheld.js";

/** A model's complete answer and its neutral form. */
export class ReadReply {
  readonly result: GenerateResult;
  readonly reply: Reply;
  readonly #clean: (content: Content) => Content;
  readonly #redactor: Redactor | undefined;

  /**
   * @param redactor redacts the metadata of the answer, and of text that was split and joined again
   * @param withheld stores signed reasoning that a plugin changed
   */
  constructor(
    original: GenerateResult,
    redactor?: Redactor,
    readonly withheld?: WithheldReasoning,
  ) {
    this.#redactor = redactor;
    this.#clean = (content) => redactedMetadata(content, redactor);
    const result = redactedWarnings(redactedMetadata(original, redactor), redactor);
    this.result = result;
    const parts = result.content.map(partOf);
    const { id, modelId } = result.response ?? {};
    this.reply = {
      message: { role: "assistant", parts },
      ...usageOf(result.usage),
      finishReason: finishReasonOf(result.finishReason),
      response: { ...(id !== undefined && { id }), ...(modelId !== undefined && { model: modelId }) },
    };
  }

  /** Returns the answer after the layers. Returns the model's object if nothing has changed. */
  resultOf(reply: Reply): GenerateResult {
    if (reply === this.reply) return this.result;
    const { parts } = reply.message;
    const before = this.reply.message.parts;
    const contents = new Map(before.map((part, index) => [part, this.result.content[index]]));
    const sources = sourcesOf(parts, before);
    let next = 0;
    const skipped = (until: number): Content[] => {
      const marks = before.slice(next, Math.max(next, until)).flatMap((part) => this.#withhold(part, sources) ?? []);
      next = Math.max(next, until + 1);
      return marks;
    };
    const content = parts.flatMap((part, index) => {
      const was = sources[index];
      const source = was && contents.get(was);
      const marks = was === undefined ? [] : skipped(before.indexOf(was));
      return [...marks, ...this.#resultContent(part, was, source)];
    });
    content.push(...skipped(before.length));
    const endsTheSame = reply.finishReason === this.reply.finishReason && reply.usage === this.reply.usage;
    const { content: originalContent } = this.result;
    if (
      endsTheSame &&
      content.length === originalContent.length &&
      content.every((each, index) => each === originalContent[index])
    ) {
      return this.result;
    }
    const { body: _, ...response } = this.result.response ?? {};
    const metadata = withoutEchoes(this.result.providerMetadata);
    const { providerMetadata: __, ...rest } = this.result;
    const ending = endsTheSame ? {} : finishOf(reply);
    return { ...rest, ...(metadata !== undefined && { providerMetadata: metadata }), ...ending, content, response };
  }

  /** Returns the content for a part after the layers. */
  #resultContent(part: Part, was: Part | undefined, source: Content | undefined): readonly Content[] {
    if (was === undefined || source === undefined) return [contentOf(part) ?? []].flat();
    if (part === was) return [source];
    const content = hasSameContent(part, was) ? this.#clean(source) : contentOf(part, source, this.#redactor);
    return content === undefined ? [] : [content];
  }

  /** Returns the content in place of signed reasoning that the layers removed. */
  #withhold(part: Part, sources: readonly (Part | undefined)[]): Content | undefined {
    if (part.type !== "reasoning" || part.signature === undefined || sources.includes(part)) return undefined;
    const content = this.result.content[this.reply.message.parts.indexOf(part)];
    const mark = this.withheld?.keep(part.content, content?.providerMetadata, this.#redactor);
    return mark && { type: "reasoning", text: "", providerMetadata: mark };
  }
}

/** Returns true if the string was only held back and joined again. It has lost its native form then. */
const hasSameContent = (part: Part, was: Part): boolean =>
  (part.type === "text" && was.type === "text" && part.content === was.content) ||
  (part.type === "reasoning" &&
    was.type === "reasoning" &&
    part.content === was.content &&
    part.signature === was.signature);

/** Creates the result for an answer of a layer that called no model. */
export function resultOfReply(reply: Reply): GenerateResult {
  const { id, model } = reply.response ?? {};
  return {
    content: reply.message.parts.flatMap((part) => contentOf(part) ?? []),
    ...finishOf(reply),
    response: { ...(id !== undefined && { id }), ...(model !== undefined && { modelId: model }) },
    warnings: [],
  };
}
