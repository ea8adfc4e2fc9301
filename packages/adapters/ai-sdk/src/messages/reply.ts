import type { Part, Redactor, Reply } from "@suite/core";
import type { Content, GenerateResult } from "../framework.js";
import { contentOf, partOf } from "./content.js";
import { finishOf, finishReasonOf, usageOf } from "./finish.js";
import { redactedMetadata, redactedWarnings, withoutEchoes } from "./metadata.js";

/** A model's whole answer, read. */
export class ReadReply {
  readonly result: GenerateResult;
  readonly reply: Reply;
  readonly #clean: (content: Content) => Content;

  /** @param redactor for the metadata of the answer, and of texts that were put together again. */
  constructor(given: GenerateResult, redactor?: Redactor) {
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
    const aligned = parts.length === before.length;
    const contents = new Map<Part, Content | undefined>(
      before.map((part, index) => [part, this.result.content[index]]),
    );
    const content = parts.flatMap((part, index) => {
      const was = aligned ? before[index] : undefined;
      const source = was && contents.get(was);
      const kept =
        was !== undefined && source !== undefined && saysTheSame(part, was) ? this.#clean(source) : undefined;
      return contents.get(part) ?? kept ?? contentOf(part, source) ?? [];
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

/** Whether a text was only held back, and put together again: it comes without its native form then. */
const saysTheSame = (part: Part, was: Part): boolean =>
  part.type === "text" && was.type === "text" && part.content === was.content;

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
