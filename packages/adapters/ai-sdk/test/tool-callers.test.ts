import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textResult } from "./support.js";

/** Makes a tool one that calls others in its own code (major 7). */
const toolCaller = (ai as { experimental_toolCaller?: (tool: object, caller: object) => object })
  .experimental_toolCaller;
const inputSchema = ai.jsonSchema<object>({ type: "object" });
const observing = definePlugin({ name: "watch", observe() {}, begin() {}, end() {} });
const seen: string[] = [];
const layered = definePlugin({
  name: "layered",
  async tool(invocation, callNext) {
    seen.push(invocation.request.tool.name);
    await callNext();
  },
});

(toolCaller === undefined ? describe.skip : describe)("a tool that calls others in its own code", () => {
  for (const [way, plugins] of Object.entries({ bare: [], observe: [observing], layered: [layered] })) {
    it(`is bound to them, ${way}`, async () => {
      seen.length = 0;
      const look = ai.tool({ inputSchema, execute: () => "found" });
      const unbound = ai.tool({ inputSchema, execute: () => "Caller was not bound." });
      const bind = ({ look: given }: { look: typeof look }) => ({
        ...unbound,
        execute: async (input: object, options: object) => `code: ${await given.execute?.(input, options as never)}`,
      });
      const code = toolCaller?.(unbound, { type: "local", bind });
      const call = { type: "tool-call" as const, toolCallId: "c", toolName: "code", input: "{}" };
      const { model } = scripted([{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("Done.")]);
      const { generateText } = withPlugins(ai, plugins as readonly Plugin[]);
      const settings = { model, prompt: "Hi", tools: { look, code }, experimental_toolCallers: { look: ["code"] } };
      const result = await generateText({ ...settings, stopWhen: ai.stepCountIs(3) } as never);
      expect(result.steps[0]?.toolResults[0]).toMatchObject({ output: "code: found" });
      expect(seen).toEqual(way === "layered" ? ["code", "look"] : []);
    });
  }
});
