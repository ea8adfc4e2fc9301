import { AIMessage, type BaseMessage, isAIMessage } from "@langchain/core/messages";
import type { ChatGeneration, ChatResult } from "@langchain/core/outputs";
import { type Message, type Reply, textOf } from "@suite/core";
import { callFieldsOf, contentOf, metadataOf } from "../messages/from-neutral.js";
import { harmlessOf } from "../messages/metadata.js";
import { toMessage } from "../messages/to-neutral.js";
import { finishReasonOf, responseOf, usageMetadataOf, usageOf, withUsage } from "../messages/usage.js";
import { withoutLogprobs } from "./chunks/fields.js";

/** A model's message as a reply. */
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

/** A reply as a model's message: a copy of `from`, where it was made from that. Metadata that may hold anything stays only as its part did. */
export function messageOf({ message, usage }: Reply, from?: BaseMessage): AIMessage {
  const { parts } = message;
  // Token probabilities repeat the text that a layer has changed.
  const metadata = withoutLogprobs(metadataOf(parts));
  const counted = from !== undefined && isAIMessage(from) ? from.usage_metadata : undefined;
  const id = from?.id;
  const name = nameOf(message, from);
  const fields = {
    content: contentOf(parts),
    ...callFieldsOf(parts),
    additional_kwargs: { ...metadata.additional_kwargs },
    response_metadata: { ...harmlessOf(from?.response_metadata), ...metadata.response_metadata },
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  };
  return new AIMessage(withUsage(fields, counted ?? (usage && usageMetadataOf(usage))));
}

const nameOf = (message: Message, from: BaseMessage | undefined): string | undefined => message.name ?? from?.name;

/** The one answer of a result, for the layers. */
export function replyOfResult({ generations: [generation] }: ChatResult): Reply {
  if (generation === undefined) return { message: { role: "assistant", parts: [] } };
  return replyOf(generation.message, generation.generationInfo);
}

/** A result that holds what the layers made of its answer. Further candidates, which they have not seen, are left out. */
export function resultOf(reply: Reply, from?: ChatResult): ChatResult {
  const [generation] = from?.generations ?? [];
  const message = messageOf(reply, generation?.message);
  const info = harmlessOf(generation?.generationInfo);
  const rewritten: ChatGeneration = { text: textOf(reply.message), message, generationInfo: info };
  return { generations: [rewritten], ...(from?.llmOutput && { llmOutput: harmlessOf(from.llmOutput) }) };
}
