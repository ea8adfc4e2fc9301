import type { Usage } from "@suite/core";
import type { FinishReason } from "@suite/core/messages";
import type { ResolvedAnswer, ResolvedPart } from "../resolve.js";
import { deltasOf, inOrder, member, type StreamEvent, type WireFormat } from "./format.js";

const stopReasons: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_call: "tool_use",
  content_filter: "refusal",
};
const stopReason = (reason: FinishReason): string => stopReasons[reason] ?? reason;

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};

/** The input tokens of this API exclude tokens read from or written to a cache. */
const usageOf = (usage: Usage, outputTokens = usage.outputTokens) => {
  const read = usage.cacheReadInputTokens ?? 0;
  const written = usage.cacheCreationInputTokens ?? 0;
  return {
    input_tokens: Math.max(0, usage.inputTokens - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: outputTokens,
    output_tokens_details:
      usage.reasoningOutputTokens === undefined ? null : { thinking_tokens: usage.reasoningOutputTokens },
    service_tier: "standard",
  };
};

const messageOf = (answer: ResolvedAnswer, content: readonly unknown[], reason: string | null, usage: unknown) => ({
  id: `msg_${answer.number}`,
  type: "message",
  role: "assistant",
  model: answer.model,
  content,
  stop_reason: reason,
  stop_sequence: null,
  usage,
});

/** Arguments are an object in this API. Malformed arguments can only be sent as a string. */
function inputOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** A content block: in a JSON body, at its start in a stream, and the deltas between. */
interface Block {
  readonly full: unknown;
  readonly start: unknown;
  readonly deltas: readonly unknown[];
}

function blockOf(part: ResolvedPart): Block {
  if (part.type === "reasoning") {
    const { full, signature } = part;
    return {
      full: { type: "thinking", thinking: full, signature },
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...deltasOf(part).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature },
      ],
    };
  }
  if (part.type === "text") {
    return {
      full: { type: "text", text: part.full, citations: null },
      start: { type: "text", text: "" },
      deltas: deltasOf(part).map((text) => ({ type: "text_delta", text })),
    };
  }
  const { id, name, json } = part;
  return {
    full: { type: "tool_use", id, name, input: inputOf(json.full) },
    start: { type: "tool_use", id, name, input: {} },
    deltas: deltasOf(json).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  };
}

/** Text without content makes no block. */
const blocksOf = ({ parts }: ResolvedAnswer): readonly Block[] =>
  parts.filter((part) => part.type !== "text" || part.full !== "").map(blockOf);

const event = (type: string, fields: object = {}): StreamEvent => ({
  event: type,
  data: { type, ...fields },
});

const errorOf = (status: number, message: string): object => ({
  type: "error",
  error: { type: errorTypes[status] ?? "api_error", message },
  request_id: "req_testkit",
});

/** `POST /v1/messages`. */
export const messages: WireFormat = {
  json: (answer) =>
    messageOf(
      answer,
      blocksOf(answer).map((block) => block.full),
      stopReason(answer.finishReason),
      usageOf(answer.usage),
    ),

  events: (answer) => [
    event("message_start", { message: messageOf(answer, [], null, usageOf(answer.usage, 1)) }),
    event("ping"),
    ...inOrder(
      answer,
      blocksOf(answer).map((block, index) => [
        event("content_block_start", { index, content_block: block.start }),
        ...block.deltas.map((delta) => ({
          ...event("content_block_delta", { index, delta }),
          isText: Boolean(member(delta, "text")),
        })),
        event("content_block_stop", { index }),
      ]),
    ),
    event("message_delta", {
      delta: { stop_reason: stopReason(answer.finishReason), stop_sequence: null },
      usage: usageOf(answer.usage),
    }),
    event("message_stop"),
  ],

  error: errorOf,
  errorEvent: (message) => ({ event: "error", data: errorOf(529, message) }),
};
