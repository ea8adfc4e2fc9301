import { definePlugin, MiddlewareTermination, type ToolRequest } from "@suite/core";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";
import { recordingTool } from "./texts.js";

const weather = { id: "call_w", name: "weather", arguments: { city: "Köln" } };
const clock = { id: "call_c", name: "clock", arguments: { city: "Köln" } };
const clear = () => recordingTool("weather", "city", () => "clear");

/** Scenarios of layers that do more with a tool call than let it through. */
export const toolLayers: readonly Scenario[] = [
  ...inBothModes("a tool layer that answers that the call failed", ["tools", "tool-failures"], async (tryIt) => {
    for (const callsTool of [false, true]) {
      const refuses = definePlugin({
        name: "contract-refuses",
        async tool(invocation, callNext) {
          if (callsTool) await callNext();
          invocation.respond({ value: { why: "over quota" }, isError: true });
        },
      });
      const { tool, inputs } = clear();
      const trial = await tryIt({
        innermost: [refuses],
        tools: [tool],
        answers: [{ toolCalls: [weather] }, { text: "I could not look." }],
      });
      expectEqual(trial.observed.error, undefined, "the error");
      if (!callsTool) expectEqual(inputs, [], "what the tool was called with");
      expectEqual(trial.observed.text, "I could not look.", "the text");
      expectThat(trial.observed.prompts[1]?.includes("over quota"), "the model was not told why");
      expectEqual(trial.observed.failedCalls, ["call_w"], "the calls that failed");
    }
  }),

  ...inBothModes("a tool that succeeds is none that failed", ["tools", "tool-failures"], async (tryIt) => {
    const { tool } = clear();
    const trial = await tryIt({ tools: [tool], answers: [{ toolCalls: [weather] }, { text: "Clear." }] });
    expectEqual(trial.observed.failedCalls, [], "the calls that failed");
  }),

  ...inBothModes("a tool layer that ends the run with a reply", ["tools", "reply-from-tools"], async (tryIt) => {
    const ends = definePlugin({
      name: "contract-ends",
      async tool({ request }, callNext) {
        if (request.tool.name === "weather") throw new MiddlewareTermination("enough", { reply: "That was enough." });
        await callNext();
      },
    });
    const { tool, inputs } = clear();
    const other = recordingTool("clock", "city", () => "noon");
    const trial = await tryIt({
      innermost: [ends],
      tools: [tool, other.tool],
      answers: [{ toolCalls: [weather, clock] }],
    });
    expectEqual(trial.observed.error, undefined, "the error");
    expectEqual(inputs, [], "what the tool was called with");
    expectEqual(trial.observed.text, "That was enough.", "the text");
    expectEqual(trial.observed.prompts.length, 1, "how often the model was asked");
    expectEqual(
      trial.callsOf("agent").map(({ status }) => status),
      trial.callsOf("agent").map(() => "completed"),
      "how the run ended",
    );
  }),

  ...inBothModes(
    "requests of tools know the answer's calls and the conversation",
    ["tools", "tool-context"],
    async (tryIt) => {
      const { tool } = clear();
      const other = recordingTool("clock", "city", () => "noon");
      const trial = await tryIt({
        input: "How is it?",
        tools: [tool, other.tool],
        answers: [
          { toolCalls: [clock] },
          { toolCalls: [weather, { ...clock, id: "call_d" }] },
          { text: "Clear, at noon." },
        ],
      });
      const seen = trial.callsOf("tool").map(({ request }) => {
        const { id, batch = [], history = [] } = request as ToolRequest;
        return { id, batch: batch.map((call) => call.id), history: history.map(({ role }) => role) };
      });
      const later = ["user", "assistant", "tool", "assistant"];
      expectEqual(
        seen,
        [
          { id: "call_c", batch: ["call_c"], history: ["user", "assistant"] },
          { id: "call_w", batch: ["call_w", "call_d"], history: later },
          { id: "call_d", batch: ["call_w", "call_d"], history: later },
        ],
        "what the requests know",
      );
    },
  ),
];
