import type { Usage } from "@suite/core";
import type { ResolvedAnswer } from "../resolve.js";
import { inOrder, member, obfuscation, type StreamEvent, type WireFormat } from "./format.js";
import { openAiError } from "./openai-error.js";
import { type OutputItem, outputItems } from "./responses-items.js";

const usageOf = (usage: Usage): unknown => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cacheReadInputTokens ?? 0,
    cache_write_tokens: usage.cacheCreationInputTokens ?? 0,
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningOutputTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
});

/** The reasons why an answer is incomplete, in this protocol. Complete answers have no entry. */
const incomplete: Readonly<Record<string, string>> = { length: "max_output_tokens", content_filter: "content_filter" };

const orElse = (value: unknown, other: unknown): unknown => (value === undefined ? other : value);

function responseOf(answer: ResolvedAnswer, body: unknown, items: readonly OutputItem[] | undefined): object {
  const reason = incomplete[answer.finishReason];
  return {
    id: `resp_${answer.number}`,
    object: "response",
    created_at: answer.created,
    status: items === undefined ? "in_progress" : reason === undefined ? "completed" : "incomplete",
    error: null,
    incomplete_details: items !== undefined && reason !== undefined ? { reason } : null,
    instructions: orElse(member(body, "instructions"), null),
    max_output_tokens: orElse(member(body, "max_output_tokens"), null),
    metadata: orElse(member(body, "metadata"), {}),
    model: answer.model,
    output: (items ?? []).map((item) => item.done),
    parallel_tool_calls: orElse(member(body, "parallel_tool_calls"), true),
    previous_response_id: orElse(member(body, "previous_response_id"), null),
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: orElse(member(body, "store"), true),
    temperature: orElse(member(body, "temperature"), 1),
    text: orElse(member(body, "text"), { format: { type: "text" } }),
    tool_choice: orElse(member(body, "tool_choice"), "auto"),
    tools: orElse(member(body, "tools"), []),
    top_p: orElse(member(body, "top_p"), 1),
    truncation: "disabled",
    usage: items === undefined ? null : usageOf(answer.usage),
    user: null,
  };
}

/** `POST /v1/responses`. */
export const responses: WireFormat = {
  json: (answer, body) => responseOf(answer, body, outputItems(answer, body)),

  events(answer, body) {
    const items = outputItems(answer, body);
    const started = responseOf(answer, body, undefined);
    const ended = incomplete[answer.finishReason] === undefined ? "response.completed" : "response.incomplete";
    const steps = [
      { type: "response.created", response: started },
      { type: "response.in_progress", response: started },
      ...inOrder(
        answer,
        items.map((item, index) => [
          { type: "response.output_item.added", output_index: index, item: item.added },
          ...item.steps.map((step) => ({
            ...step,
            item_id: item.id,
            output_index: index,
            ...(typeof step.delta === "string" && obfuscation(step.delta, body)),
          })),
          { type: "response.output_item.done", output_index: index, item: item.done },
        ]),
      ),
      { type: ended, response: responseOf(answer, body, items) },
    ];
    return steps.map(
      (step, number): StreamEvent => ({
        event: step.type,
        data: { ...step, sequence_number: number },
        isText: step.type === "response.output_text.delta" && member(step, "delta") !== "",
      }),
    );
  },

  error: openAiError,
  errorEvent: (message) => ({
    event: "error",
    data: { type: "error", code: "server_error", message, param: null, sequence_number: 0 },
  }),
};
