import { message, textOf } from "@suite/core";
import { afterModel, beforeModel, wrapModelCall } from "@suite/core/hooks";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";

/** Plugins of one function around each model call, wherever the framework has its place for that. */
export const functions: readonly Scenario[] = [
  ...inBothModes(
    "plugins of one function, each called once round a model call",
    ["model", "system-prompt"],
    async (tryIt) => {
      const called: string[] = [];
      const trial = await tryIt({
        answers: [{ text: "Hello." }],
        systemPrompt: "Be brief.",
        plugins: [
          beforeModel(({ request: { messages } }) => {
            called.push(`before ${messages.map(({ role }) => role).join()}`);
            return { messages: [...messages, message("user", "ADDED")] };
          }),
          afterModel((reply) => void called.push(`after ${textOf(reply.message)}`)),
          wrapModelCall((request, handler) => {
            called.push("wrap");
            return handler(request);
          }),
        ],
      });
      expectEqual(called, ["before user", "wrap", "after Hello."], "what was called, in order");
      expectEqual(trial.observed.text, "Hello.", "the text");
      for (const sent of ["Be brief.", "ADDED"]) {
        expectThat(trial.observed.prompts[0]?.includes(sent), `the model was not sent "${sent}"`);
      }
    },
  ),
];
