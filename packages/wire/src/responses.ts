import type { Part, Usage } from "@suite/core";
import type { ToolChoice } from "@suite/core/contract";
import type { FinishReason } from "@suite/core/messages";
import { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "./json.js";

/** The settings of OpenAI's responses API, by their OpenTelemetry names. */
export const responsesSettings = { topP: "top_p", maxTokens: "max_output_tokens" } as const;

/** Returns the neutral finish reason of a response. The API has only the reason why a response is incomplete. */
export function responsesFinishReason(response: object): FinishReason {
  const { status, incomplete_details, output } = response as Json;
  const reason = stringOf(jsonOf(incomplete_details).reason);
  if (reason !== "") return reason === "max_output_tokens" ? "length" : reason;
  if (status !== "completed") return status === "failed" ? "error" : stringOf(status);
  return objectsOf(output).some(({ type }) => type === "function_call" || type === "custom_tool_call")
    ? "tool_call"
    : "stop";
}

/** Returns the usage of a response. The API counts cached tokens as input, as OpenTelemetry does. */
export function responsesUsage(usage: object): Usage {
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = usage as Json;
  const { cached_tokens, cache_write_tokens } = jsonOf(input_tokens_details);
  const { reasoning_tokens } = jsonOf(output_tokens_details);
  return {
    inputTokens: numberOf(input_tokens),
    outputTokens: numberOf(output_tokens),
    ...(typeof cached_tokens === "number" && { cacheReadInputTokens: cached_tokens }),
    ...(typeof cache_write_tokens === "number" && { cacheCreationInputTokens: cache_write_tokens }),
    ...(typeof reasoning_tokens === "number" && { reasoningOutputTokens: reasoning_tokens }),
  };
}

/** Returns the usage in the form of a response, without details. */
export const toResponsesUsage = ({ inputTokens, outputTokens }: Usage) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

/** Returns the finish of a response: usage, finish reason, id and model, if the server sends them. */
export function responsesFinish(response: object) {
  const { usage, status, id, model } = response as Json;
  return {
    type: "finish" as const,
    ...(isJson(usage) && { usage: responsesUsage(usage) }),
    ...(typeof status === "string" && { finishReason: responsesFinishReason(response) }),
    response: { ...(typeof id === "string" && { id }), ...(typeof model === "string" && { model }) },
  };
}

/** Maps the choice of a tool to that of the responses API. */
export const toResponsesToolChoice = (choice: ToolChoice) =>
  typeof choice === "string" ? choice : { type: "function" as const, name: choice.name };

/**
 * Returns the part for an item that is not a message, reasoning, call or result: a built-in tool of the provider, or an
 * item without a neutral form.
 */
export function otherItemPart(item: Json): Part {
  const type = stringOf(item.type);
  if (!type.endsWith("_call")) return { type: "native", value: item };
  const id = stringOf(item.id);
  return {
    type: "server_tool_call",
    ...(id !== "" && { id }),
    name: stringOf(item.name) || type,
    serverToolCall: { ...item, type },
  };
}
