import { definePlugin } from "@suite/core";
import { expectEqual, expectThat, within } from "../expect.js";
import { inBothModes, type Scenario, scenario } from "../scenario.js";
import { recordingTool } from "./texts.js";

const chunks = ["One. ", "Two. ", "Three. "];

/** Users who abort. */
export const abort: readonly Scenario[] = [
  inBothModes("an abort while the model is silent", ["model", "abort"], async (tryIt, subject) => {
    if (!subject.hooks.has("model")) return;
    const controller = new AbortController();
    const aborting = definePlugin({
      name: "aborting",
      async model(_invocation, callNext) {
        setTimeout(() => controller.abort(), 20);
        await callNext();
      },
    });
    const answers = [{ text: "Never.", fault: { hang: "before-headers" as const } }];
    const trial = await within(tryIt({ answers, signal: controller.signal, plugins: [aborting] }), "an abort", 3000);
    expectThat(trial.observed.error !== undefined, "the user was given no error");
    trial.expectCalls("agent:cancelled", "reasoning:cancelled", "model:cancelled");
  }),

  [
    scenario("an abort in mid-stream", ["model", "stream", "abort"], async (tryIt) => {
      const controller = new AbortController();
      const onPiece = (): boolean => {
        controller.abort();
        return true;
      };
      const answers = [{ chunks, fault: { hang: { textPieces: 1 } } }];
      const trial = await tryIt({ stream: true, answers, signal: controller.signal, onPiece });
      expectEqual(trial.observed.pieces.join(""), "One. ", "the text that came");
      trial.expectCalls("agent:cancelled", "reasoning:cancelled", "model:cancelled");
    }),

    scenario("a reader who stops in mid-stream", ["model", "stream"], async (tryIt) => {
      const answers = [{ chunks, fault: { hang: { textPieces: 1 } } }];
      const trial = await tryIt({ stream: true, answers, onPiece: () => false });
      expectEqual(trial.observed.pieces.join(""), "One. ", "the text that came");
      trial.expectCalls("agent:cancelled", "reasoning:cancelled", "model:cancelled");
    }),
  ],

  inBothModes("an abort while a tool runs", ["tools", "abort", "abandon-tools"], async (tryIt) => {
    const controller = new AbortController();
    const { tool } = recordingTool("weather", "city", () => {
      setTimeout(() => controller.abort(), 20);
      return new Promise(() => {});
    });
    const call = { name: "weather", arguments: { city: "Köln" } };
    const attempt = tryIt({ tools: [tool], answers: [{ toolCalls: [call] }], signal: controller.signal });
    const trial = await within(attempt, "an abort", 3000);
    expectThat(trial.observed.text === undefined || trial.observed.text === "", "the user was given a final text");
    trial.expectCalls("agent:cancelled", "reasoning", "model", "tool:cancelled");
  }),
].flat();
