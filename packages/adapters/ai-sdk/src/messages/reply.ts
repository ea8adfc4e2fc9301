import type { Part, Redactor, Reply } from "@suite/core";
import { sourcesOf } from "@suite/core/adapter";
import type { Content, GenerateResult } from "../framework.js";
import { contentOf, partOf } from "./content.js";
import { finishOf, finishReasonOf, usageOf } from "./finish.js";
import { redactedMetadata, redactedWarnings, withoutEchoes } from "./metadata.js";

/** A model's whole answer, read. */
export class ReadReply {
  readonly result: GenerateResult;
  readonly reply: Reply;
  readonly #clean: (content: Content) => Content;
  readonly #redactor: Redactor | undefined;

  /** @param redactor for the metadata of the answer, and of texts that were put together again. */
  constructor(given: GenerateResult, redactor?: Redactor) {
    this.#redactor = redactor;
    this.#clean = (content) => redactedMetadata(content, redactor);
    const result = redactedWarnings(redactedMetadata(given, redactor), redactor);
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

  /** The answer as the layers left it: the model's own object where nothing was changed. */
  resultOf(reply: Reply): GenerateResult {
    if (reply === this.reply) return this.result;
    const { parts } = reply.message;
    const before = this.reply.message.parts;
    const contents = new Map(before.map((part, index) => [part, this.result.content[index]]));
    const sources = sourcesOf(parts, before);
    const content = parts.flatMap((part, index) => {
      const was = sources[index];
      const source = was && contents.get(was);
      if (was === undefined || source === undefined) return contentOf(part) ?? [];
      if (part === was) return source;
      return saysTheSame(part, was) ? this.#clean(source) : (contentOf(part, source, this.#redactor) ?? []);
    });
    const endsTheSame = reply.finishReason === this.reply.finishReason && reply.usage === this.reply.usage;
    const { content: given } = this.result;
    if (endsTheSame && content.length === given.length && content.every((each, index) => each === given[index])) {
      return this.result;
    }
    const { body: _, ...response } = this.result.response ?? {};
    const metadata = withoutEchoes(this.result.providerMetadata);
    const { providerMetadata: __, ...rest } = this.result;
    const ending = endsTheSame ? {} : finishOf(reply);
    return { ...rest, ...(metadata !== undefined && { providerMetadata: metadata }), ...ending, content, response };
  }
}

/** True if a text was only held back and put together again: it comes without its native form then. */
const saysTheSame = (part: Part, was: Part): boolean =>
  (part.type === "text" && was.type === "text" && part.content === was.content) ||
  (part.type === "reasoning" &&
    was.type === "reasoning" &&
    part.content === was.content &&
    part.signature === was.signature);

/** The answer of a layer that asked no model. */
export function resultOfReply(reply: Reply): GenerateResult {
  const { id, model } = reply.response ?? {};
  return {
    content: reply.message.parts.flatMap((part) => contentOf(part) ?? []),
    ...finishOf(reply),
    response: { ...(id !== undefined && { id }), ...(model !== undefined && { modelId: model }) },
    warnings: [],
  };
}
