import { describe, expect, it } from "@jest/globals";
import {
  chatFinishReason,
  chatUsage,
  latestUsage,
  messagesFinishReason,
  messagesUsage,
  responsesFinish,
  responsesFinishReason,
  responsesUsage,
  toChatFinishReason,
  toChatToolChoice,
  toChatUsage,
  toMessagesStopReason,
  toMessagesToolChoice,
  toMessagesUsage,
  toResponsesToolChoice,
  toResponsesUsage,
} from "@suite/wire";

const reasons = ["stop", "length", "tool_call", "content_filter"];

describe("a finish reason", () => {
  it.each(reasons)("%s is read as it was written, in both APIs", (reason) => {
    expect(chatFinishReason(toChatFinishReason(reason))).toBe(reason);
    expect(messagesFinishReason(toMessagesStopReason(reason))).toBe(reason);
  });

  it.each(["pause_turn", "constructor", "toString", "__proto__"])("that is not known stays as it is: %s", (reason) => {
    expect([chatFinishReason(reason), toChatFinishReason(reason)]).toEqual([reason, reason]);
    expect([messagesFinishReason(reason), toMessagesStopReason(reason)]).toEqual([reason, reason]);
  });

  it("that is missing is that of an answer which ended by itself", () => {
    expect([toChatFinishReason(undefined), toMessagesStopReason()]).toEqual(["stop", "end_turn"]);
  });
});

describe("a response", () => {
  const call = { type: "function_call" };

  it.each<[object, string]>([
    [{ status: "completed", output: [] }, "stop"],
    [{ status: "completed", output: [call] }, "tool_call"],
    [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "length"],
    [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "content_filter"],
    [{ status: "failed" }, "error"],
    [{ status: "cancelled" }, "cancelled"],
  ])("%j ended by %s", (response, reason) => {
    expect(responsesFinishReason(response)).toBe(reason);
  });

  it("of a server that tells nothing finishes with nothing", () => {
    expect(responsesFinish({})).toEqual({ type: "finish", response: {} });
  });

  it("has its usage read as it was written, and the choice of a tool by its name", () => {
    const usage = { inputTokens: 17, outputTokens: 3 };
    expect(responsesUsage(toResponsesUsage(usage))).toEqual(usage);
    expect(toResponsesToolChoice({ name: "f" })).toEqual({ type: "function", name: "f" });
  });
});

describe("usage", () => {
  it("counts what came from a cache as input, whatever the API does", () => {
    const read = { cacheReadInputTokens: 10, cacheCreationInputTokens: 5, reasoningOutputTokens: 1 };
    expect(
      chatUsage({
        prompt_tokens: 17,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 1 },
      }),
    ).toEqual({ inputTokens: 17, outputTokens: 3, ...read });
    const written = { cache_read_input_tokens: 10, cache_creation_input_tokens: 5 };
    const message = { input_tokens: 2, output_tokens: 3, ...written, output_tokens_details: { thinking_tokens: 1 } };
    expect(messagesUsage(message)).toEqual({ inputTokens: 17, outputTokens: 3, ...read });
    expect(toMessagesUsage(messagesUsage(message))).toEqual({ input_tokens: 2, output_tokens: 3 });
    expect(toChatUsage(messagesUsage(message))).toEqual({ prompt_tokens: 17, completion_tokens: 3, total_tokens: 20 });
  });

  it("takes no number from a server that sends none", () => {
    const none = { inputTokens: 0, outputTokens: 0 };
    expect(chatUsage({ prompt_tokens: "12", completion_tokens: null, prompt_tokens_details: [] })).toEqual(none);
    expect(messagesUsage({ input_tokens: {}, output_tokens_details: { thinking_tokens: "1" } })).toEqual(none);
  });

  it("of a stream is the latest count of each, and a count that is null is none", () => {
    const before = { input_tokens: 2, output_tokens: 1 };
    expect(latestUsage(before, { input_tokens: null, output_tokens: 9 })).toEqual({
      input_tokens: 2,
      output_tokens: 9,
    });
  });
});

it("the choice of a tool is written in the words of each API", () => {
  const choices = ["auto", "none", "required", { name: "search" }] as const;
  expect(choices.map(toChatToolChoice)).toEqual([
    "auto",
    "none",
    "required",
    { type: "function", function: { name: "search" } },
  ]);
  expect(choices.map(toMessagesToolChoice)).toEqual([
    { type: "auto" },
    { type: "none" },
    { type: "any" },
    { type: "tool", name: "search" },
  ]);
});
