import { type Plugin, text } from "@suite/core";
import { toolContent, toolContentOf } from "@suite/core/messages";
import { eventually, expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario, scenario } from "../scenario.js";
import { recordingTool } from "./texts.js";

const weather = { id: "call_w", name: "weather", arguments: { city: "Köln" } };

const person = "Jane Roe";
const image = {
  type: "blob",
  modality: "image",
  mimeType: "image/png",
  content: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;

/** A plugin that removes a person from the text parts of a tool's content. */
const hidesPerson: Plugin = {
  name: "hides-person",
  async tool(invocation, next) {
    await next();
    invocation.pipe({
      chunk(chunk, emit) {
        const parts = toolContentOf(chunk)?.map((part) =>
          part.type === "text" ? text(part.content.replace(person, "somebody")) : part,
        );
        emit(parts === undefined ? chunk : toolContent(parts));
      },
    });
  },
};

/** Answers with tools that run here. */
export const tools: readonly Scenario[] = [
  ...inBothModes("a tool", ["tools"], async (tryIt) => {
    const { tool, inputs } = recordingTool("weather", "city", () => ({ sky: "clear", degrees: 21 }));
    const trial = await tryIt({
      tools: [tool],
      answers: [{ toolCalls: [weather], chunks: 3 }, { text: "It is clear." }],
    });
    expectEqual(inputs, [{ city: "Köln" }], "what the tool was called with");
    expectEqual(trial.observed.text, "It is clear.", "the text");
    expectThat(trial.observed.prompts[1]?.includes("clear"), "the model was not sent the tool's result");
    trial.expectCalls("agent", "reasoning", "model", "tool", "reasoning", "model");
    const [call] = trial.callsOf("tool");
    if (call === undefined) return;
    const { id, tool: called, input } = call.request as { id: string; tool: { name: string }; input: unknown };
    expectEqual(
      { id, name: called.name, input },
      { id: "call_w", name: "weather", input: { city: "Köln" } },
      "the tool request",
    );
    expectEqual(call.value, { sky: "clear", degrees: 21 }, "the value of the tool call");
  }),

  ...inBothModes(
    "a tool's result with a text and an image: a layer changes the text, and the image passes unchanged",
    ["tools", "tool-files"],
    async (tryIt) => {
      const { tool } = recordingTool("look", "at", () => toolContent([`Taken by ${person}.`, image]));
      const trial = await tryIt({
        tools: [tool],
        innermost: [hidesPerson],
        answers: [{ toolCalls: [{ name: "look", arguments: { at: "the page" } }] }, { text: "A page." }],
      });
      expectEqual(trial.observed.text, "A page.", "the text");
      const prompt = trial.observed.prompts[1] ?? "";
      expectThat(prompt.includes("Taken by somebody."), "the model was not sent the text as the layer left it");
      expectThat(prompt.split(image.content).length === 2, "the model was not sent the image, once");
      expectThat(!prompt.includes("@suite/"), "the model was sent the content as JSON, and not as parts");
    },
  ),

  ...inBothModes(
    "parallel tools run at the same time, and are reported in the order of the calls",
    ["tools"],
    async (tryIt) => {
      const started: string[] = [];
      const slow = recordingTool("slow", "city", async () => {
        started.push("slow");
        await eventually(
          () => started.includes("fast"),
          () => "the second tool did not start while the first one ran",
        );
        return "result-of-slow";
      });
      const fast = recordingTool("fast", "city", () => {
        started.push("fast");
        return "result-of-fast";
      });
      const toolCalls = [
        { id: "call_1", name: "slow", arguments: { city: "Köln" } },
        { id: "call_2", name: "fast", arguments: { city: "Bonn" } },
      ];
      const trial = await tryIt({
        tools: [fast.tool, slow.tool],
        answers: [{ toolCalls }, { text: "Both are done." }],
      });
      expectEqual(started, ["slow", "fast"], "the order in which the tools started");
      expectEqual(trial.observed.text, "Both are done.", "the text");
      const prompt = trial.observed.prompts[1] ?? "";
      const [first, second] = [prompt.indexOf("result-of-slow"), prompt.indexOf("result-of-fast")];
      expectThat(first >= 0 && second >= 0, "the model was not sent both results");
      expectThat(
        first < second,
        "the model was sent the results in the order in which they came, not in that of the calls",
      );
      trial.expectCalls("agent", "reasoning", "model", "tool", "tool", "reasoning", "model");
      const ids = trial.callsOf("tool").map((call) => (call.request as { id: string }).id);
      if (ids.length > 0) expectEqual(ids, ["call_1", "call_2"], "the order of the tool calls");
    },
  ),

  ...inBothModes(
    "a tool that fails is told to the model without a stack trace, and the run goes on",
    ["tools"],
    async (tryIt, subject) => {
      const error = new Error("disk 7 is full");
      const { tool } = recordingTool("weather", "city", () => {
        throw error;
      });
      const trial = await tryIt({ tools: [tool], answers: [{ toolCalls: [weather] }, { text: "I could not look." }] });
      expectEqual(trial.observed.text, "I could not look.", "the text");
      expectEqual(trial.observed.error, undefined, "the error");
      expectEqual(trial.observed.prompts.length, 2, "how often the model was asked");
      expectThat(!/\bat [^"]*:\d+:\d+/.test(trial.observed.prompts[1] ?? ""), "the model was sent a stack trace");
      trial.expectCalls("agent", "reasoning", "model", "tool:failed", "reasoning", "model");
      const [call] = trial.callsOf("tool");
      if (call !== undefined && subject.offers.has("error-identity")) {
        expectThat(call.value === error, "the layers were given another error than the tool threw");
      }
    },
  ),

  scenario("several rounds of tools", ["tools"], async (tryIt) => {
    const { tool, inputs } = recordingTool("weather", "city", () => "clear");
    const round = (city: string) => ({
      text: `Looking at ${city}. `,
      toolCalls: [{ name: "weather", arguments: { city } }],
    });
    const trial = await tryIt({ tools: [tool], answers: [round("Köln"), round("Bonn"), { text: "Clear." }] });
    expectEqual(inputs, [{ city: "Köln" }, { city: "Bonn" }], "what the tool was called with");
    expectThat(trial.observed.text?.endsWith("Clear."), "the final text is not the last answer's");
    trial.expectCalls("agent", "reasoning", "model", "tool", "reasoning", "model", "tool", "reasoning", "model");
  }),
];
