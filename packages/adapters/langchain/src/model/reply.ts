import { AIMessage, type BaseMessage, isAIMessage } from "@langchain/core/messages";
import type { ChatGeneration, ChatResult } from "@langchain/core/outputs";
import { type Redactor, type Reply, textOf } from "@suite/core";
import { callFieldsOf, contentOf, metadataIn } from "../messages/content.js";
import { treatedExtras } from "../messages/extras.js";
import { patched } from "../messages/patch.js";
import { toMessage } from "../messages/to-neutral.js";
import { finishReasonOf, responseOf, usageMetadataOf, usageOf, withUsage } from "../messages/usage.js";

/** Converts a model's message to a reply. */
export function replyOf(from: BaseMessage, generationInfo?: object): Reply {
  const usage = isAIMessage(from) ? usageOf(from.usage_metadata) : undefined;
  const finishReason = finishReasonOf(generationInfo, from.response_metadata, from.additional_kwargs);
  const response = responseOf(from.id, from.response_metadata);
  return {
    message: toMessage(from),
    ...(usage && { usage }),
    ...(finishReason !== undefined && { finishReason }),
    ...(response && { response }),
  };
}

/** Converts a reply that no model created to a message. */
export function messageOf({ message, usage }: Reply): AIMessage {
  const { parts, name } = message;
  const metadata = metadataIn(parts);
  const fields = {
    content: contentOf(parts),
    ...callFieldsOf(parts),
    additional_kwargs: { ...metadata?.additional_kwargs },
    response_metadata: { ...metadata?.response_metadata },
    ...(name !== undefined && { name }),
  };
  return new AIMessage(withUsage(fields, usage && usageMetadataOf(usage)));
}

/** Returns the first answer of a result as a reply. */
export function replyOfResult({ generations: [generation] }: ChatResult): Reply {
  if (generation === undefined) return { message: { role: "assistant", parts: [] } };
  return replyOf(generation.message, generation.generationInfo);
}

/**
 * Returns a result with the changes of layers to its answer. Other candidates, which layers have not seen, are removed.
 */
export function resultOf(reply: Reply, from?: ChatResult, redactor?: Redactor): ChatResult {
  const [generation] = from?.generations ?? [];
  if (generation === undefined) {
    return { generations: [{ text: textOf(reply.message), message: messageOf(reply), generationInfo: {} }] };
  }
  const message = patched(generation.message, reply.message, { redactor });
  const text = textOf(reply.message);
  const treatment = { redactor, textChanged: text !== textOf(toMessage(generation.message)) };
  const { generationInfo, ...rest } = generation;
  const info = generationInfo && { generationInfo: treatedExtras(generationInfo, treatment) };
  const changed = { ...rest, text: message === generation.message ? generation.text : text, message, ...info };
  const { llmOutput, ...result } = from ?? {};
  const output = llmOutput && { llmOutput: treatedExtras(llmOutput, treatment) };
  return { ...result, generations: [changed as ChatGeneration], ...output };
}
