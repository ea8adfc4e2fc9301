import { expect, it, jest } from "@jest/globals";
import type { Kind } from "@suite/core";
import { Recording, redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { type AgentMiddleware, tool } from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { asks, useServer } from "./support.js";

// That compression has no place here.
jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();
const schema = z.object({ of: z.string() });
const look = tool(() => "seen", { name: "look", schema });
const find = tool(() => "found", { name: "find", schema });

function guarded() {
  const recording = new Recording();
  const kinds = (): Kind[] => recording.events.filter(({ type }) => type === "enter").map(({ call }) => call.kind);
  return { kinds, recording, ...withPlugins(langchain, [recording.layer("seen"), redacting()] as never[]) };
}

const history = {
  messages: [
    { role: "user" as const, content: "I am eve@x.y." },
    { role: "assistant" as const, content: "Hello." },
    { role: "user" as const, content: "And now?" },
  ],
};

it("the model that summarises the history is called through the plugins", async () => {
  const { createAgent, summarizationMiddleware, recording } = guarded();
  const summaries = summarizationMiddleware({
    model: world.model({ model: "gpt-5-mini" }),
    trigger: { messages: 2 },
    keep: { messages: 1 },
  } as never) as AgentMiddleware;
  world.server.script({ text: "Of eve@x.y." }, { text: "Nothing." });
  const { messages } = await createAgent({ model: world.model(), middleware: [summaries] }).invoke(history);
  expect(world.prompts.map((prompt) => prompt.includes("eve@x.y"))).toEqual([false, false]);
  expect(messages.map(({ text }) => text).join()).toContain("Of [EMAIL]");
  const models = recording.events.filter(({ type, call }) => type === "enter" && call.kind === "model");
  expect(models.map(({ value }) => (value as { model: string }).model)).toEqual(["gpt-5-mini", "gpt-5"]);
  expect(new Set(models.map(({ runtime }) => runtime.runId)).size).toBe(1);
});

it("the model that selects tools is called through the plugins: its own, and that of the agent", async () => {
  for (const own of [true, false]) {
    const { createAgent, llmToolSelectorMiddleware, kinds } = guarded();
    const selecting = llmToolSelectorMiddleware({
      maxTools: 1,
      ...(own && { model: world.model() }),
    } as never) as AgentMiddleware;
    world.server.reset();
    world.server.script({ text: '{"tools":["look"]}' }, { text: "Nothing." });
    const agent = createAgent({ model: world.model(), tools: [look, find], middleware: [selecting] });
    await agent.invoke(asks("I am eve@x.y."));
    expect(world.prompts.map((prompt) => prompt.includes("eve@x.y"))).toEqual([false, false]);
    expect(kinds().filter((kind) => kind === "model")).toHaveLength(2);
    expect(world.prompts[1]).not.toContain('"find"');
  }
});

it("the model that stands in for tools is called through the plugins", async () => {
  const { createAgent, toolEmulatorMiddleware } = guarded();
  const standing = toolEmulatorMiddleware({ model: world.model() } as never) as AgentMiddleware;
  world.server.script(
    { toolCalls: [{ name: "look", arguments: { of: "it" } }] },
    { text: "It is at eve@x.y." },
    { text: "Nothing." },
  );
  const agent = createAgent({ model: world.model(), tools: [look], middleware: [standing] });
  const { messages } = await agent.invoke(asks("Look."));
  expect(messages.find(({ type }) => type === "tool")?.text).toBe("It is at [EMAIL]");
});
