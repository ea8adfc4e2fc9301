import { CoreError } from "@suite/core";
import { errorStatusOf, errorTypeOf } from "@suite/kit/errors";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario, scenario } from "../scenario.js";
import { recordingTool } from "./texts.js";

/** The types that the fake server's response to a status has, in the formats of OpenAI and of Anthropic. */
const refusals: readonly (readonly [number, readonly string[]])[] = [
  [400, ["invalid_request_error"]],
  [429, ["rate_limit_exceeded", "rate_limit_error"]],
  [500, ["server_error", "api_error"]],
];

/** Failures of models and tools. */
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

  ...inBothModes(
    "a model call that the provider refuses: layers see the provider's code or type and the status",
    ["model", "provider-errors"],
    async (tryIt) => {
      for (const [status, types] of refusals) {
        // A framework may retry by itself.
        const trial = await tryIt({ answers: Array(5).fill({ fault: { status, message: "No." } }) });
        const [call] = trial.callsOf("model");
        const type = errorTypeOf(call?.value);
        expectThat(types.includes(type), `the type of the error of status ${status} is ${type}`);
        expectEqual(errorStatusOf(call?.value), status, "the status of the error");
      }
    },
  ),

  ...inBothModes("a tool that fails: layers see the code of its error", ["tools", "error-identity"], async (tryIt) => {
    const { tool } = recordingTool("weather", "city", () => {
      throw Object.assign(new TypeError("broken tool"), { code: "E_BROKEN" });
    });
    const call = { name: "weather", arguments: { city: "Köln" } };
    const trial = await tryIt({ tools: [tool], answers: [{ toolCalls: [call] }, { text: "Done." }] });
    expectEqual(
      trial.callsOf("tool").map(({ value }) => errorTypeOf(value)),
      ["E_BROKEN"],
      "the type of the error",
    );
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
