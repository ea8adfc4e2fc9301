import type { Usage } from "@suite/core";
import type { FinishReason } from "@suite/core/messages";
import type { ResolvedAnswer } from "../resolve.js";
import { deltasOf, inOrder, member, obfuscation, type StreamEvent, type WireFormat } from "./format.js";
import { openAiError } from "./openai-error.js";

const finishReasons: Readonly<Record<string, string>> = { tool_call: "tool_calls" };
const finish = (reason: FinishReason): string => finishReasons[reason] ?? reason;

const usageOf = (usage: Usage): unknown => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: {
    cached_tokens: usage.cacheReadInputTokens ?? 0,
    cache_write_tokens: usage.cacheCreationInputTokens ?? 0,
    audio_tokens: 0,
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoningOutputTokens ?? 0, audio_tokens: 0 },
});

const head = (answer: ResolvedAnswer, object: string) => ({
  id: `chatcmpl-${answer.number}`,
  object,
  created: answer.created,
  model: answer.model,
  service_tier: "default",
  system_fingerprint: "fp_testkit",
});

/** The parts in the form of this protocol: one text, one reasoning text, and a list of calls. */
const fieldsOf = ({ parts }: ResolvedAnswer) => ({
  text: parts.map((part) => (part.type === "text" ? part.full : "")).join(""),
  reasoning: parts.map((part) => (part.type === "reasoning" ? part.full : "")).join(""),
  toolCalls: parts.filter((part) => part.type === "tool_call"),
});

/**
 * `POST /v1/chat/completions`. Reasoning is `reasoning_content`, as in compatible servers. OpenAI itself sends none in
 * this protocol.
 */
export const chatCompletions: WireFormat = {
  json(answer) {
    const { text, reasoning, toolCalls } = fieldsOf(answer);
    const message = {
      role: "assistant",
      content: text === "" && toolCalls.length > 0 ? null : text,
      refusal: null,
      ...(reasoning !== "" && { reasoning_content: reasoning }),
      ...(toolCalls.length > 0 && {
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          type: "function",
          function: { name: call.name, arguments: call.json.full },
        })),
      }),
    };
    return {
      ...head(answer, "chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish(answer.finishReason) }],
      usage: usageOf(answer.usage),
    };
  },

  events(answer, body) {
    const withUsage = member(member(body, "stream_options"), "include_usage") === true;
    const chunk = (choices: readonly unknown[], text: string, usage: unknown = null): StreamEvent => ({
      data: {
        ...head(answer, "chat.completion.chunk"),
        choices,
        ...(withUsage && { usage }),
        ...obfuscation(text, body),
      },
    });
    const delta = (value: unknown, text = "", reason: string | null = null): StreamEvent =>
      chunk([{ index: 0, delta: value, logprobs: null, finish_reason: reason }], text);
    const { text, toolCalls } = fieldsOf(answer);
    let calls = 0;
    const pieces = answer.parts.map((part): readonly StreamEvent[] => {
      if (part.type === "reasoning") return deltasOf(part).map((piece) => delta({ reasoning_content: piece }, piece));
      if (part.type === "text")
        return deltasOf(part).map((piece) => ({ ...delta({ content: piece }, piece), isText: piece !== "" }));
      const index = calls++;
      const { id, name, json } = part;
      return [
        delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        ...deltasOf(json).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] }, piece)),
      ];
    });
    return [
      delta({ role: "assistant", content: text === "" && toolCalls.length > 0 ? null : "", refusal: null }),
      ...inOrder(answer, pieces),
      delta({}, "", finish(answer.finishReason)),
      ...(withUsage ? [chunk([], "", usageOf(answer.usage))] : []),
      { data: "[DONE]" },
    ];
  },

  error: openAiError,
  errorEvent: (message) => ({ data: openAiError(500, message) }),
};
