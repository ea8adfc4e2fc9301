import { type Part, text, toolCall } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import type { ModelAnswer } from "../../server/answer.js";
import { expectEqual, expectThat } from "../expect.js";
import { bare, inBothModes, type ModelScenario, scenario } from "./scenario.js";

const calls = [
  { id: "call_a", name: "weather", arguments: { city: "Köln", days: [1, 2] } },
  { id: "call_b", name: "clock", arguments: {} },
];
const usage = { inputTokens: 20, outputTokens: 7, cacheReadInputTokens: 12, reasoningOutputTokens: 4 };
const answer: ModelAnswer = { text: "One moment 🌦️, Zoë.", toolCalls: calls, usage };
const parts: readonly Part[] = [
  text("One moment 🌦️, Zoë."),
  ...calls.map(({ id, name, arguments: args }) => toolCall(id, name, args)),
];

/** The content of a piece of a part. A piece of reasoning may contain a signature alone. */
const contentOf = (part: Part): unknown =>
  part.type === "text" ? part.content : part.type === "reasoning" && (part.signature ?? part.content);

/** The promises about the answers that a client reads. */
export const answers: readonly ModelScenario[] = [
  ...inBothModes("an answer has its text and its parallel calls in order", async (rig) => {
    rig.script(answer);
    expectEqual(bare((await rig.ask()).message.parts), parts, "the parts");
  }),

  ...inBothModes(
    "reasoning is a part before the text, and no text",
    async (rig) => {
      rig.script({ reasoning: "Two tools help.", text: "Done." });
      const { message } = await rig.ask();
      const read = message.parts.map((part) => ("content" in part ? [part.type, part.content] : [part.type]));
      const expected = [
        ["reasoning", "Two tools help."],
        ["text", "Done."],
      ];
      expectEqual(read, expected, "the parts");
    },
    ["reasoning"],
  ),

  ...inBothModes("usage counts the tokens of a cache as input, as OpenTelemetry does", async (rig) => {
    rig.script(answer);
    const reportedUsage = (await rig.ask()).usage;
    const { inputTokens, outputTokens, cacheReadInputTokens } = usage;
    expectEqual(reportedUsage?.inputTokens, inputTokens, "the input tokens");
    expectEqual(reportedUsage?.outputTokens, outputTokens, "the output tokens");
    expectEqual(reportedUsage?.cacheReadInputTokens, cacheReadInputTokens, "the input tokens that came from a cache");
  }),

  ...inBothModes("the finish reason is one of OpenTelemetry's", async (rig) => {
    for (const finishReason of ["stop", "length", "content_filter"]) {
      rig.script({ text: "So", finishReason });
      expectEqual((await rig.ask()).finishReason, finishReason, "the finish reason");
    }
    rig.script(answer);
    expectEqual((await rig.ask()).finishReason, "tool_call", "the finish reason of an answer with calls");
  }),

  ...inBothModes("the response has an id, and the model that answered", async (rig) => {
    rig.script({ text: "So" });
    const { response } = await rig.ask({ model: "another" });
    expectThat(typeof response?.id === "string" && response.id !== "", "the response has no id");
    expectEqual(response?.model, "another", "the model that answered");
  }),

  ...inBothModes("arguments that are not JSON stay the text that they are", async (rig) => {
    rig.script({ toolCalls: [{ id: "call_a", name: "weather", arguments: '{"city":' }] });
    expectEqual(bare((await rig.ask()).message.parts), [toolCall("call_a", "weather", '{"city":')], "the parts");
  }),

  ...inBothModes("an empty answer is an answer", async (rig) => {
    rig.script({ text: "" });
    const { message, finishReason } = await rig.ask();
    expectEqual(message.role, "assistant", "the role");
    expectThat(
      message.parts.every((part) => part.type === "text" && part.content === ""),
      "the answer has content",
    );
    expectEqual(finishReason, "stop", "the finish reason");
  }),

  scenario("a stream adds up to the whole answer, however its text and its bytes are cut", async (rig) => {
    const faults = [{ split: 13 }, { split: 64 }, { newline: "\r\n" }, { newline: "\r", split: 101 }] as const;
    for (const [index, fault] of faults.entries()) {
      rig.script({ ...answer, chunks: index === 0 ? 5 : "characters", fault });
      expectEqual(bare((await rig.ask()).message.parts), parts, "the parts of a stream that was cut");
    }
  }),

  scenario("a stream gives no empty pieces, although the server sends empty deltas", async (rig) => {
    rig.script({ ...answer, reasoning: "Hm.", chunks: 8 });
    for (const delta of await rig.deltas()) {
      const piece = delta.type === "arguments" ? delta.json : delta.type === "part" && contentOf(delta.part);
      expectThat(piece !== "", `a ${delta.type} delta is empty`);
    }
  }),

  scenario("a stream emits text as it arrives", async (rig) => {
    rig.script({ text: "abc", chunks: "characters", fault: { hang: { textPieces: 2 } } });
    const stream = rig.client.stream(rig.request(), { signal: new AbortController().signal });
    let read = "";
    for await (const delta of stream) {
      if (delta.type === "part" && delta.part.type === "text") read += delta.part.content;
      if (read === "ab") break;
    }
    expectEqual(read, "ab", "the text before the stream ended");
  }),

  scenario("a stream ends with one finish, and no piece follows the end of its part", async (rig) => {
    rig.script({ ...answer, reasoning: "Hm.", chunks: 8 });
    const deltas = await rig.deltas();
    expectEqual(deltas.filter(({ type }) => type === "finish").length, 1, "the number of finish marks");
    expectEqual(deltas.at(-1)?.type, "finish", "the last delta");
    const over = new Set<string>();
    for (const delta of deltas) {
      if (!("at" in delta)) continue;
      expectThat(!over.has(delta.at), `a ${delta.type} delta follows the end of its part`);
      if (delta.type === "part_end") over.add(delta.at);
    }
    expectThat(assembleReply(deltas).usage !== undefined, "the finish has no usage");
  }),

  scenario("calls that are under way at the same time do not mix", async (rig) => {
    rig.script(({ body }) => ({ text: JSON.stringify(body).includes("first") ? "one" : "two", chunks: 1 }));
    const askWith = (content: string) => rig.ask({ messages: [{ role: "user", parts: [text(content)] }] });
    const [one, two] = await Promise.all([askWith("the first"), askWith("the other")]);
    expectEqual(
      [one, two].map(({ message }) => bare(message.parts)),
      [[text("one")], [text("two")]],
      "the answers",
    );
  }),
];
