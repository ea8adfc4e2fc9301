import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";
import { externalTool, recordingTool } from "./texts.js";

const locate = { id: "call_l", name: "locate", arguments: { device: "phone" } };
const ring = { id: "call_r", name: "ring", arguments: { device: "phone" } };
const weather = { id: "call_w", name: "weather", arguments: { city: "Köln" } };
const tools = [externalTool("locate", "device"), externalTool("ring", "device")];

/** Tools that run elsewhere. */
export const external: readonly Scenario[] = [
  ...inBothModes("a tool that runs elsewhere, and its result", ["tools", "external-tools"], async (tryIt) => {
    const before = await tryIt({
      tools,
      answers: [{ text: "One moment. ", toolCalls: [locate] }, { text: "It is at home." }],
    });
    expectEqual(before.observed.error, undefined, "the error");
    const pending = [{ id: "call_l", name: "locate", arguments: { device: "phone" }, reason: "external" }];
    expectEqual(before.observed.pending, pending, "what the run waits for");
    before.expectCalls("agent:suspended", "reasoning", "model", "tool:suspended?");

    const after = await before.resume({ id: "call_l", type: "result", response: { place: "kitchen drawer" } });
    expectEqual(after.observed.text, "It is at home.", "the text");
    expectEqual(after.observed.prompts.length, 1, "how often the model was asked");
    expectThat(after.observed.prompts[0]?.includes("kitchen drawer"), "the model was not sent the result");
    after.expectCalls("agent", "tool?", "reasoning", "model");
  }),

  ...inBothModes("tools that run elsewhere beside one that runs here", ["tools", "external-tools"], async (tryIt) => {
    const { tool, inputs } = recordingTool("weather", "city", () => "result-of-weather");
    const toolCalls = [locate, weather, ring];
    const before = await tryIt({ tools: [...tools, tool], answers: [{ toolCalls }, { text: "All done." }] });
    expectEqual(
      before.observed.pending?.map((call) => call.id),
      ["call_l", "call_r"],
      "what the run waits for",
    );

    const after = await before.resume(
      { id: "call_r", type: "result", response: "result-of-ring" },
      { id: "call_l", type: "result", response: "result-of-locate" },
    );
    expectEqual(inputs, [{ city: "Köln" }], "what the tool that runs here was called with, in all");
    expectEqual(after.observed.text, "All done.", "the text");
    const prompt = after.observed.prompts[0] ?? "";
    const positions = ["result-of-locate", "result-of-weather", "result-of-ring"].map((result) =>
      prompt.indexOf(result),
    );
    expectThat(
      positions.every((position) => position >= 0),
      "the model was not sent all results",
    );
    expectEqual(
      [...positions].sort((a, b) => a - b),
      positions,
      "the order of the results that the model was sent",
    );
  }),
];
