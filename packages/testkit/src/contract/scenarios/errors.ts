import { CoreError } from "@suite/core";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario, scenario } from "../scenario.js";
import { recordingTool } from "./texts.js";

/** A model that fails. */
export const errors: readonly Scenario[] = [
  ...inBothModes("a model that fails", ["model"], async (tryIt) => {
    const trial = await tryIt({ answers: [{ fault: { status: 400, message: "No such model." } }] });
    expectThat(trial.observed.error !== undefined, "the user was given no error");
    expectThat(
      !CoreError.is(trial.observed.error),
      "the user was given an error of the suite, not the framework's own",
    );
    expectEqual(trial.observed.pieces.join(""), "", "the text that came");
    trial.expectCalls("agent:failed", "reasoning:failed", "model:failed");
  }),

  scenario(
    "a model that fails in mid-stream, after what came before has been seen",
    ["model", "stream"],
    async (tryIt) => {
      const fault = { cut: { textPieces: 2 } };
      const trial = await tryIt({ stream: true, answers: [{ chunks: ["One. ", "Two. ", "Three. "], fault }] });
      expectThat(trial.observed.error !== undefined, "the user was given no error");
      expectEqual(trial.observed.pieces.join(""), "One. Two. ", "the text that came");
      trial.expectCalls("agent:failed", "reasoning:failed", "model:failed");
    },
  ),

  ...inBothModes("a model that fails after a tool", ["tools"], async (tryIt) => {
    const { tool, inputs } = recordingTool("weather", "city", () => "clear");
    const call = { name: "weather", arguments: { city: "Köln" } };
    const trial = await tryIt({ tools: [tool], answers: [{ toolCalls: [call] }, { fault: { status: 400 } }] });
    expectThat(trial.observed.error !== undefined, "the user was given no error");
    expectEqual(inputs.length, 1, "how often the tool ran");
    trial.expectCalls("agent:failed", "reasoning", "model", "tool", "reasoning:failed", "model:failed");
  }),
];
