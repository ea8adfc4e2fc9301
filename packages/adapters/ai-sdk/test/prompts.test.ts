import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Message } from "@suite/core";
import * as ai from "ai";
import { all, type Chunk, ending, scripted, textChunks, textResult } from "./support.js";

const HISTORY = 100;
const history: ai.ModelMessage[] = Array.from({ length: HISTORY }, (_, index) =>
  index % 2 === 0
    ? { role: "user", content: `Question ${index}` }
    : { role: "assistant", content: [{ type: "text", text: `Answer ${index}` }] },
);
const call = { type: "tool-call" as const, toolCallId: "c", toolName: "look", input: "{}" };
const calling: readonly Chunk[] = [call, { type: "finish", ...ending("tool-calls") }];
const tools = { look: ai.tool({ inputSchema: ai.jsonSchema({ type: "object" }), execute: () => "seen" }) };
const stopWhen = ai.stepCountIs(3);

/** A plugin that keeps the messages of each model call. */
function watching() {
  const seen: (readonly Message[])[] = [];
  const plugin = definePlugin({
    name: "watching",
    async model({ request }, callNext) {
      seen.push(request.messages);
      await callNext();
    },
  });
  return { plugin, seen };
}

type Steps = Partial<Parameters<typeof ai.generateText>[0]>;

const ways: Readonly<
  Record<string, (plugin: ReturnType<typeof watching>["plugin"], more?: Steps) => Promise<unknown>>
> = {
  generateText: (plugin, more) => {
    const { model } = scripted([{ ...textResult(""), content: [call], ...ending("tool-calls") }, textResult("Done.")]);
    return withPlugins(ai, [plugin]).generateText({ model, messages: history, tools, stopWhen, ...more } as never);
  },
  streamText: (plugin, more) => {
    const { model } = scripted([calling, textChunks("Done.")]);
    const { streamText } = withPlugins(ai, [plugin]);
    return all(streamText({ model, messages: history, tools, stopWhen, ...more } as never).textStream);
  },
  "streamText within agent layers": (plugin, more) => {
    const { model } = scripted([calling, textChunks("Done.")]);
    const { streamText } = withPlugins(ai, [{ ...plugin, agent: (_, next) => next(), name: "round" }]);
    return all(streamText({ model, messages: history, tools, stopWhen, ...more } as never).textStream);
  },
};

describe("a message that stands in the prompts of two steps", () => {
  for (const [name, way] of Object.entries(ways)) {
    it(`is converted once, in ${name}`, async () => {
      const { plugin, seen } = watching();
      await way(plugin);
      const [first = [], second = []] = seen;
      expect([first.length, second.length]).toEqual([HISTORY, HISTORY + 2]);
      for (const [index, message] of first.entries()) expect(second[index]).toBe(message);
    });

    it(`is converted again where it changed, in ${name}`, async () => {
      const { plugin, seen } = watching();
      await way(plugin, {
        prepareStep: ({ stepNumber, messages }) =>
          stepNumber === 0 ? undefined : { messages: [{ role: "user", content: "Another" }, ...messages.slice(1)] },
      });
      const [first = [], second = []] = seen;
      expect(second[0]).toEqual({ role: "user", parts: [{ type: "text", content: "Another" }] });
      expect(second[1]).toBe(first[1]);
    });
  }
});
