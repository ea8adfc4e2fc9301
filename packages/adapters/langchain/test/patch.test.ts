import { describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type Message, type Part, type Redactor, toolCall } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { patched } from "../src/messages/patch.js";
import { toMessage } from "../src/messages/to-neutral.js";
import { withUsage } from "../src/messages/usage.js";

const redactor: Redactor = {
  redact: (text) => text.replaceAll("eve@x.y", "[EMAIL]"),
  value: (value) => JSON.parse(JSON.stringify(value).replaceAll("eve@x.y", "[EMAIL]")),
};

/** The reading of a message as a guard leaves it: each text in another object, without its native form. */
const guarded = (message: Message, change = redactor.redact): Message => ({
  ...message,
  parts: message.parts.map((part): Part => {
    if (part.type !== "text" && part.type !== "reasoning") return part;
    const { native: _, ...rest } = part;
    return { ...rest, content: change(part.content) };
  }),
});

const citation = { type: "citation", source: "url_citation", url: "https://x.y", title: "By eve@x.y" };
const answer = () =>
  new AIMessage(
    withUsage(
      {
        id: "m",
        content: [
          { type: "reasoning", reasoning: "Hm.", index: 0, id: "rs_1" },
          { type: "text", text: "I am eve@x.y", annotations: [citation], id: "msg_1" },
          { type: "tool_use", id: "c", name: "look", input: { at: "x" } },
        ],
        tool_calls: [{ type: "tool_call", id: "c", name: "look", args: { at: "x" } }],
        additional_kwargs: {
          tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: '{"at":"x"}' } }],
          vendor: { note: "by eve@x.y", count: 2 },
        },
        response_metadata: { finish_reason: "stop", logprobs: { content: [{ token: "eve" }] }, headers: {} },
      },
      { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    ) as never,
  );

describe("a message that layers changed", () => {
  it("keeps its list of blocks, with annotations and ids, and differs in its changed strings only", () => {
    const message = patched(answer(), guarded(toMessage(answer())), { redactor });
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "Hm.", index: 0, id: "rs_1" },
      { type: "text", text: "I am [EMAIL]", annotations: [{ ...citation, title: "By [EMAIL]" }], id: "msg_1" },
      { type: "tool_use", id: "c", name: "look", input: { at: "x" } },
    ]);
    expect(message.additional_kwargs).toEqual({
      ...answer().additional_kwargs,
      vendor: { note: "by [EMAIL]", count: 2 },
    });
    expect(message.response_metadata).toEqual({ finish_reason: "stop", headers: {} });
    expect([message.id, message.usage_metadata, message.tool_calls]).toEqual([
      "m",
      answer().usage_metadata,
      answer().tool_calls,
    ]);
    expect(message).toBeInstanceOf(AIMessage);
  });

  it("is the same object if its texts only came back in other objects", () => {
    const given = answer();
    const clean = { ...redactor, redact: (text: string) => text };
    expect(patched(given, guarded(toMessage(given), clean.redact), { redactor: clean })).toBe(given);
  });

  it("keeps no string that may hold anything if the run has no redactor", () => {
    const message = patched(answer(), guarded(toMessage(answer())));
    expect(JSON.stringify(message)).not.toContain("eve@x.y");
    expect(message.content).toMatchObject([{}, { text: "I am [EMAIL]", annotations: [{ type: "citation" }] }, {}]);
  });

  it("has the arguments of a changed call in each place that repeats them", () => {
    const given = answer();
    const { parts, ...rest } = toMessage(given);
    const changed = parts.map((part) => (part.type === "tool_call" ? toolCall("c", "look", { at: "y" }) : part));
    const message = patched(given, { ...rest, parts: changed }, { redactor });
    expect(message.tool_calls).toMatchObject([{ id: "c", args: { at: "y" } }]);
    expect(message.content).toMatchObject([{}, {}, { type: "tool_use", input: { at: "y" } }]);
    expect(message.additional_kwargs.tool_calls).toMatchObject([{ function: { arguments: '{"at":"y"}' } }]);
  });

  it("has a removed call in no place", () => {
    const given = answer();
    const { parts, ...rest } = toMessage(given);
    const message = patched(given, { ...rest, parts: parts.filter(({ type }) => type !== "tool_call") }, { redactor });
    expect([message.tool_calls, message.additional_kwargs.tool_calls]).toEqual([[], []]);
    expect(message.content).toHaveLength(2);
  });

  it("keeps `tool_calls` that its provider sent as null or as an empty list", () => {
    for (const tool_calls of [null, []]) {
      const given = new AIMessage({ content: "I am eve@x.y", additional_kwargs: { tool_calls } as never });
      const message = patched(given, guarded(toMessage(given)), { redactor });
      expect([message.content, message.additional_kwargs]).toEqual(["I am [EMAIL]", { tool_calls }]);
    }
  });

  it("has its text parsed anew if LangChain keeps it parsed", () => {
    const given = new AIMessage({
      content: '{"a":"eve@x.y"}',
      additional_kwargs: { parsed: { a: "eve@x.y" } } as never,
    });
    const message = patched(given, guarded(toMessage(given)), { redactor });
    expect(message.additional_kwargs).toEqual({ parsed: { a: "[EMAIL]" } });
  });

  it("keeps the class and the fields of a user's and of a tool's message", () => {
    const asked = new HumanMessage({
      content: [{ type: "text", text: "eve@x.y", cache_control: { type: "ephemeral" } }],
    });
    const tool = new ToolMessage({ content: "eve@x.y", tool_call_id: "c", name: "look", artifact: { raw: 1 } });
    const answered = { ...toMessage(tool), parts: [{ ...toMessage(tool).parts[0], response: "[EMAIL]" } as Part] };
    expect(patched(asked, guarded(toMessage(asked)), { redactor }).content).toEqual([
      { type: "text", text: "[EMAIL]", cache_control: { type: "ephemeral" } },
    ]);
    expect(patched(tool, answered, { redactor })).toMatchObject({
      content: "[EMAIL]",
      tool_call_id: "c",
      name: "look",
      artifact: { raw: 1 },
    });
  });
});

it("a message of any blocks and metadata is the same object after layers that find nothing", () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const block = fc.record({ type: fc.constant("text"), text: fc.string(), extra: json });
  fc.assert(
    fc.property(fc.array(block), fc.dictionary(fc.string(), json), (content, additional_kwargs) => {
      const given = new AIMessage({ content, additional_kwargs });
      const same: Redactor = { redact: (text) => text, value: (value) => value };
      expect(patched(given, guarded(toMessage(given), same.redact), { redactor: same })).toBe(given);
    }),
    { numRuns: runs(100) },
  );
});
