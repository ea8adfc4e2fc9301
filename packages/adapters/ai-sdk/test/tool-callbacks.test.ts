import { expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { major } from "./subject.js";
import { all, type Chunk, ending, scripted, textChunks } from "./support.js";

const toolLayer = definePlugin({ name: "tool-layer", tool: (_, callNext) => callNext() });
const input = `{"of":"${"Ada ".repeat(20)}"}`;
const called: readonly Chunk[] = [
  { type: "tool-input-start", id: "c1", toolName: "look" },
  ...[...input].map((delta) => ({ type: "tool-input-delta" as const, id: "c1", delta })),
  { type: "tool-input-end", id: "c1" },
  { type: "tool-call", toolCallId: "c1", toolName: "look", input },
  { type: "finish", ...ending("tool-calls") },
];

/** Returns the callbacks of one streamed answer with a tool call, in the order in which the SDK calls them. */
async function callbacksWith(plugins: readonly Plugin[]) {
  const callbacks: string[] = [];
  const execute = (): string => {
    callbacks.push("execute");
    return "Found.";
  };

  const { model } = scripted([called, textChunks("Do", "ne.")]);
  const onToolExecutionStart = (): void => void callbacks.push("start");
  const options = {
    model,
    prompt: "Find Ada.",
    stopWhen: ai.stepCountIs(2),
    tools: { look: ai.tool({ inputSchema: ai.jsonSchema<object>({ type: "object" }), execute }) },
    onChunk: ({ chunk }: { readonly chunk: { readonly type: string } }) => void callbacks.push(`chunk ${chunk.type}`),
    onToolExecutionStart,
    onToolExecutionEnd: (): void => void callbacks.push("end"),
  };
  await all(withPlugins(ai, plugins).streamText(options).fullStream);
  const chunks = callbacks.filter((each) => each.startsWith("chunk"));
  const execution = callbacks.filter((each) => !each.startsWith("chunk"));
  return { callbacks, chunks, execution };
}

/** Only major 7 has these callbacks. */
(major === "6" ? it.skip : it)(
  "a tool layer keeps the order of chunks and of the tool's callbacks, and may shift one against the other",
  async () => {
    const bare = await callbacksWith([]);
    const layered = await callbacksWith([toolLayer]);
    expect(bare.execution).toEqual(["start", "execute", "end"]);
    expect(layered.chunks).toEqual(bare.chunks);
    expect(layered.execution).toEqual(bare.execution);
    for (const { callbacks } of [bare, layered]) {
      expect(callbacks.indexOf("start")).toBeGreaterThan(callbacks.indexOf("chunk tool-input-start"));
      expect(callbacks.indexOf("end")).toBeLessThan(callbacks.indexOf("chunk tool-result"));
    }
  },
);
