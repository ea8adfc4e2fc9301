import { expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textResult } from "./support.js";

const layer = async (_: unknown, callNext: () => Promise<void>): Promise<void> => callNext();
const every = definePlugin({ name: "idle", agent: layer, reasoning: layer, model: layer, tool: layer });
const observing = definePlugin({ name: "watch", observe() {}, begin() {}, end() {} });

for (const [way, plugins] of Object.entries({ bare: [], observe: [observing], idle: [every] })) {
  it(`a tool that is at work when a whole turn is aborted comes to its end, and its result counts: ${way}`, async () => {
    const controller = new AbortController();
    const call = { type: "tool-call" as const, toolCallId: "c", toolName: "refund", input: "{}" };
    const { model, asked } = scripted([
      { content: [call], ...ending("tool-calls"), warnings: [] },
      textResult("Done."),
    ]);
    const refund = ai.tool({
      inputSchema: ai.jsonSchema<object>({ type: "object" }),
      async execute() {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 30));
        return "refunded";
      },
    });
    const { generateText } = withPlugins(ai, plugins as readonly Plugin[]);
    const settings = { model, prompt: "Hi", tools: { refund }, abortSignal: controller.signal };
    const { toolResults } = await generateText(settings);
    expect(toolResults).toMatchObject([{ output: "refunded" }]);
    expect(asked).toHaveLength(1);
  });
}

it("layers hear of the abort", async () => {
  const controller = new AbortController();
  let heard = false;
  const listening = definePlugin({
    name: "listening",
    async model(invocation, callNext) {
      invocation.runtime.signal.addEventListener("abort", () => {
        heard = true;
      });
      controller.abort();
      await callNext();
    },
  });
  const { generateText } = withPlugins(ai, [listening]);
  const { model } = scripted([textResult("Done.")]);
  await generateText({ model, prompt: "Hi", abortSignal: controller.signal }).catch(() => {});
  expect(heard).toBe(true);
});
