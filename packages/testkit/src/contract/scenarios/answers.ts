import { definePlugin } from "@suite/core";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario, scenario } from "../scenario.js";
import { strings } from "./texts.js";

const text = "Grüß Gott, Ada 👋.";

/** Answers without tools. */
export const answers: readonly Scenario[] = [
  scenario("a plain answer", ["model"], async (tryIt) => {
    const trial = await tryIt({ answers: [{ text }], input: "Who is there?" });
    expectEqual(trial.observed.text, text, "the text");
    expectEqual(trial.observed.error, undefined, "the error");
    expectEqual(trial.observed.prompts.length, 1, "how often the model was asked");
    expectThat(trial.observed.prompts[0]?.includes("Who is there?"), "the model was not sent the input");
    trial.expectCalls("agent", "reasoning", "model");
  }),

  scenario("a streamed answer", ["model", "stream"], async (tryIt) => {
    const trial = await tryIt({ answers: [{ text, chunks: "characters" }], stream: true });
    const pieces = trial.observed.pieces.filter((piece) => piece !== "");
    expectEqual(pieces.join(""), text, "the pieces, joined");
    expectEqual(trial.observed.text, text, "the final text");
    expectThat(pieces.length > 3, `the answer came in ${pieces.length} pieces, not as it streamed`);
    trial.expectCalls("agent", "reasoning", "model");
  }),

  ...inBothModes("an answer with its usage and the reason why it ended", ["model", "usage"], async (tryIt) => {
    const usage = { inputTokens: 20, outputTokens: 7 };
    const trial = await tryIt({ answers: [{ text, usage }] });
    const [model] = trial.callsOf("model");
    if (model === undefined) return;
    const reply = model.value as { usage?: object; finishReason?: string };
    expectEqual(
      {
        ...reply.usage,
        cacheReadInputTokens: undefined,
        cacheCreationInputTokens: undefined,
        reasoningOutputTokens: undefined,
      },
      usage,
      "the usage of the model call",
    );
    expectEqual(reply.finishReason, "stop", "why the model call ended");
  }),

  ...inBothModes(
    "a system prompt that plugins change, the first one first, once per model call",
    ["model", "system-prompt"],
    async (tryIt, subject) => {
      if (!subject.hooks.has("systemPrompt")) return;
      let assembled = 0;
      const adding = (name: string) => definePlugin({ name, systemPrompt: (prompt: string) => `${prompt} ${name}` });
      const counting = definePlugin({
        name: "counting",
        systemPrompt(prompt: string) {
          assembled++;
          return prompt;
        },
      });
      const trial = await tryIt({
        answers: [{ text }],
        systemPrompt: "Be brief.",
        plugins: [adding("FIRST"), adding("SECOND"), counting],
      });
      expectThat(
        trial.observed.prompts[0]?.includes("Be brief. FIRST SECOND"),
        "the model was sent another system prompt",
      );
      expectEqual(assembled, 1, "how often the system prompt was assembled");
    },
  ),

  ...inBothModes("a structured answer", ["model", "structured-output"], async (tryIt) => {
    const trial = await tryIt({
      answers: [{ text: '{"city":"Köln","mood":"sunny"}', chunks: 5 }],
      outputSchema: strings("city", "mood"),
    });
    expectEqual(trial.observed.output, { city: "Köln", mood: "sunny" }, "the structured output");
    trial.expectCalls("agent", "reasoning", "model");
  }),
];
