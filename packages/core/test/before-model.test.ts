import { describe, expect, it } from "@jest/globals";
import { type Message, message, toolCall, toolCallResponse } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { ReasoningRequest } from "@suite/core/contract";
import { beforeModel } from "@suite/core/hooks";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";

/** The messages that the model sees where a hook gives these. */
async function seen(given: readonly Message[], messages: readonly Message[]): Promise<readonly Message[]> {
  const stack = new PluginStack([beforeModel(() => ({ messages }))]);
  const run = stack.begin();
  let request: ReasoningRequest | undefined;
  await stack.call("reasoning", run, { messages: given, tools: [] }, async (invocation) => {
    request = invocation.request;
    invocation.respond({ value: { message: message("assistant", "so") } });
  });
  await run.end();
  return request?.messages ?? [];
}

const step = (...ids: readonly string[]): readonly Message[] => [
  message(
    "assistant",
    ids.map((id) => toolCall(id, "look", {})),
  ),
  ...ids.map((id) => message("tool", [toolCallResponse(id, `found ${id}`)])),
];
const history = [
  message("user", "?"),
  ...step("a", "b"),
  ...step("c"),
  message("assistant", "so"),
  message("user", "!"),
];

describe("what beforeModel trims", () => {
  it("leaves no result without its call, and no call without its result", async () => {
    expect(await seen(history, history.slice(2))).toEqual(history.slice(4));
    const [question, calls, , second] = history as [Message, Message, Message, Message];
    expect(await seen(history, [question, calls, second])).toEqual([
      question,
      message("assistant", [toolCall("b", "look", {})]),
      second,
    ]);
  });

  it("leaves none alone wherever it cuts, and is else what the hook gave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(history), async (messages) => {
        const parts = (await seen(history, messages)).flatMap((each) => each.parts);
        const ids = (type: string) =>
          parts.flatMap((part) => (part.type === type && "id" in part ? [part.id] : [])).sort();
        expect(ids("tool_call")).toEqual(ids("tool_call_response"));
        const others = (all: readonly Message[]) =>
          all.filter((each) => each.parts.some(({ type }) => type === "text"));
        expect(others(await seen(history, messages))).toEqual(others(messages));
      }),
      { numRuns: runs(400) },
    );
  });

  it("keeps messages that were already orphaned, and returns the same list if there are none", async () => {
    const odd = [...history, ...step("d").slice(0, 1)];
    expect(await seen(odd, odd.slice(4))).toEqual(odd.slice(4));
    expect(await seen(history, history)).toBe(history);
  });
});
