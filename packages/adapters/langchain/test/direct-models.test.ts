import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { RunnableBinding } from "@langchain/core/runnables";
import type { ChatOpenAI } from "@langchain/openai";
import type { Kind } from "@suite/core";
import { Recording, redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { type AgentMiddleware, createMiddleware, HumanMessage, initChatModel, tool } from "langchain";
import { z } from "zod";
import { textOf } from "../../../../integration-tests/watched.js";
import { withPlugins } from "../src/index.js";
import { asks, collect, useServer } from "./support.js";

// That compression has no place here.
jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();
const before = { ...process.env };
beforeAll(() => void Object.assign(process.env, { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${world.server.url}/v1` }));
afterAll(() => {
  process.env = before;
});

function guarded() {
  const recording = new Recording();
  const models = (): Kind[] =>
    recording.events.flatMap(({ type, call: { kind } }) => (type === "enter" && kind === "model" ? [kind] : []));
  return { models, ...withPlugins(langchain, [recording.layer("seen"), redacting()] as never[]) };
}

const asked = "I am eve@x.y.";
const leaks = (told: unknown): boolean => textOf(told).includes("eve@x.y");

/** Each way to call a model. */
const ways: Record<string, (model: ChatOpenAI) => Promise<unknown>> = {
  invoke: async (model) => model.invoke(asked),
  batch: async (model) => model.batch([asked]),
  stream: async (model) => collect(await model.stream(asked)),
  transform: async (model) => collect(model.transform(pieces(), {})),
  generate: async (model) => (await model.generate([[new HumanMessage(asked)]])).generations,
  withRetry: async (model) => model.withRetry().invoke(asked),
  withFallbacks: async (model) => model.withFallbacks([model]).invoke(asked),
  pipe: async (model) => model.pipe((message) => message.text).invoke(asked),
};

async function* pieces() {
  yield asked;
}

/** A middleware of the user's that calls the agent's model by itself. */
const calling = (way: (model: ChatOpenAI) => Promise<unknown>, given: unknown[]): AgentMiddleware =>
  createMiddleware({
    name: "calling",
    async wrapModelCall(request, handler) {
      given.push(await way(request.model as ChatOpenAI));
      return handler(request);
    },
  });

describe.each(["a model", "a model's name"])("a middleware that calls the agent's model, which is %s", (kind) => {
  it.each(Object.entries(ways))("goes through the plugins: %s", async (_, way) => {
    const { createAgent, models } = guarded();
    const given: unknown[] = [];
    world.server.script({ text: "Of eve@x.y", chunks: 4 }, { text: "Nothing." });
    const model = kind === "a model" ? world.model() : "openai:gpt-5";
    await createAgent({ model, middleware: [calling(way, given)] }).invoke(asks("Hello."));
    expect([world.prompts.some(leaks), leaks(given), textOf(given).includes("[EMAIL]")]).toEqual([false, false, true]);
    expect(models()).toHaveLength(2);
  });
});

it("what such a model fails with in the middle of a stream reaches who reads it", async () => {
  const { createAgent } = guarded();
  const given: unknown[] = [];
  const failing = async (model: ChatOpenAI) => ways.stream?.(model).catch((error: unknown) => given.push(error));
  world.server.script({ text: "One.", fault: { error: 1, message: "broken" } }, { text: "Nothing." });
  await createAgent({ model: world.model(), middleware: [calling(failing, [])] }).invoke(asks("Hello."));
  expect(given).toEqual([expect.any(Error)]);
});

it("a model that a middleware binds settings to goes through the plugins once", async () => {
  const { createAgent, models } = guarded();
  const binding = createMiddleware({
    name: "binding",
    wrapModelCall: (request, handler) =>
      handler({ ...request, model: new RunnableBinding({ bound: request.model as ChatOpenAI, config: {} }) as never }),
  });
  world.server.script({ text: "Of eve@x.y" });
  const { messages } = await createAgent({ model: world.model(), middleware: [binding] }).invoke(asks("Hello."));
  expect([messages.at(-1)?.text, models()]).toEqual(["Of [EMAIL]", ["model"]]);
});

it("a model given by its name, with settings bound to it, goes through the plugins", async () => {
  const { createAgent } = guarded();
  const model = (await initChatModel("openai:gpt-5")).withConfig({ tags: ["bound"] });
  world.server.script({ text: "Of eve@x.y" });
  const { messages } = await createAgent({ model }).invoke(asks("Hello."));
  expect(messages.at(-1)?.text).toBe("Of [EMAIL]");
});

describe.each(["name", "initChatModel"])(
  "the model of a middleware of LangChain's, given by its %s, goes through the plugins",
  (kind) => {
    const given = async () => (kind === "name" ? "openai:gpt-5" : initChatModel("openai:gpt-5"));
    const look = tool(() => "seen", { name: "look", schema: z.object({}) });
    const find = tool(() => "found", { name: "find", schema: z.object({}) });

    it("summarizationMiddleware", async () => {
      const { createAgent, summarizationMiddleware, models } = guarded();
      const settings = { model: await given(), trigger: { messages: 2 }, keep: { messages: 1 } };
      const middleware = [summarizationMiddleware(settings as never) as AgentMiddleware];
      world.server.script({ text: "Of eve@x.y" }, { text: "Nothing." });
      const history = [
        { role: "assistant", content: "Hello." },
        { role: "user", content: "And now?" },
      ];
      const { messages } = await createAgent({ model: world.model(), middleware }).invoke({
        messages: [...asks(asked).messages, ...history],
      });
      expect([world.prompts.length, world.prompts.some(leaks), models().length]).toEqual([2, false, 2]);
      expect(textOf(messages)).toContain("Of [EMAIL]");
    });

    it("llmToolSelectorMiddleware", async () => {
      const { createAgent, llmToolSelectorMiddleware } = guarded();
      const middleware = [llmToolSelectorMiddleware({ model: await given(), maxTools: 1 } as never) as AgentMiddleware];
      world.server.script({ text: '{"tools":["look"]}' }, { text: "Nothing." });
      await createAgent({ model: world.model(), tools: [look, find], middleware }).invoke(asks(asked));
      expect([world.prompts.some(leaks), world.prompts[1]?.includes('"find"')]).toEqual([false, false]);
    });

    it("toolEmulatorMiddleware", async () => {
      const { createAgent, toolEmulatorMiddleware } = guarded();
      const middleware = [toolEmulatorMiddleware({ model: await given() } as never) as AgentMiddleware];
      world.server.script(
        { toolCalls: [{ name: "look", arguments: {} }] },
        { text: "At eve@x.y" },
        { text: "Nothing." },
      );
      const { messages } = await createAgent({ model: world.model(), tools: [look], middleware }).invoke(asks("Look."));
      expect(messages.find(({ type }) => type === "tool")?.text).toBe("At [EMAIL]");
    });
  },
);
