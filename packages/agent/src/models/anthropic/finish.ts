import type Anthropic from "@anthropic-ai/sdk";
import type { FinishDelta } from "@suite/core";
import { messagesFinishReason, messagesUsage } from "@suite/wire";

/** The end of an answer: what is known of it beside its content. */
export type Ending = Pick<Anthropic.Message, "id" | "model" | "stop_reason"> & { readonly usage: AnyUsage };

/** The usage of a whole answer, or of a stream's last event. */
type AnyUsage = Partial<Anthropic.MessageDeltaUsage>;

export const finishOf = ({ id, model, stop_reason, usage }: Ending): FinishDelta => ({
  type: "finish",
  usage: messagesUsage(usage),
  ...(stop_reason && { finishReason: messagesFinishReason(stop_reason) }),
  response: { id, model },
});
