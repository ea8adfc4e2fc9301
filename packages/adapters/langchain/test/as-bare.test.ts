import { expect, it, jest } from "@jest/globals";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { Command, ReducedValue, StateSchema } from "@langchain/langgraph";
import { definePlugin, type Plugin } from "@suite/core";
import * as langchain from "langchain";
import { createMiddleware, modelRetryMiddleware, tool } from "langchain";
import { z } from "zod";
import { pluginMiddleware, withPlugins } from "../src/index.js";
import { asks, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();
const look = tool(() => "seen", { name: "look", schema: z.object({}) });
const late = tool(() => "late", { name: "late", schema: z.object({}) });

const through = async (_: unknown, callNext: () => Promise<void>) => {
  await callNext();
};
/** Plugins that change nothing. */
const plugins: Record<string, Plugin> = {
  observe: definePlugin({ name: "observing", observe() {} }),
  idle: definePlugin({ name: "idle", agent: through, reasoning: through, model: through, tool: through, observe() {} }),
};

/** Holds what happens with plugins that change nothing against what happens without any. */
const asBare = async (happens: (of: typeof langchain) => Promise<unknown>) => {
  const bare = await happens(langchain);
  for (const [name, plugin] of Object.entries(plugins)) {
    world.server.reset();
    expect({ with: name, seen: await happens(withPlugins(langchain, [plugin]) as typeof langchain) }).toEqual({
      with: name,
      seen: bare,
    });
  }
  return bare;
};

/** The end of an agent: its messages, or the error; and how often the model was asked. */
async function ending(agent: { invoke(input: never, config?: object): Promise<unknown> }) {
  let end: unknown;
  try {
    const { messages } = (await agent.invoke(asks("Look.") as never, { recursionLimit: 12 })) as langchain.BuiltInState;
    end = messages.map((message) => [message.type, message.text]);
  } catch (error) {
    end = told(error);
  }
  return { end, asked: world.server.requests.length };
}

/** An error and what it is wrapped around. */
const told = (error: unknown): unknown =>
  error instanceof Error ? [error.constructor.name, error.message, told(error.cause)] : error;

const nothingRunsHere: [string, readonly object[]][] = [
  ["none", []],
  ["tools of the provider", [{ type: "web_search" }]],
  ["definitions", [{ type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } }]],
];

it.each(nothingRunsHere)("an agent none of whose tools run here ends with the call: %s", async (_, tools) => {
  const bare = await asBare((of) => {
    world.server.script(() => ({ toolCalls: [{ name: "look", arguments: {} }] }));
    return ending(of.createAgent({ model: world.model(), tools: tools as [] }));
  });
  expect(bare).toMatchObject({ asked: 1 });
});

it("pluginMiddleware ignores the calls of such an agent if configured", async () => {
  const { idle } = plugins as { idle: Plugin };
  const { agent: _, ...served } = idle;
  const agent = (toolCalls: boolean) =>
    langchain.createAgent({ model: world.model(), middleware: [pluginMiddleware([served], { toolCalls })] });
  world.server.script(() => ({ toolCalls: [{ name: "look", arguments: {} }] }));
  expect(await ending(agent(false))).toMatchObject({ asked: 1 });
  expect(await ending(agent(true))).not.toMatchObject({ asked: 1 });
});

it("a tool that a middleware adds, and that nobody runs, is refused as LangChain refuses it", async () => {
  const adding = createMiddleware({
    name: "adding",
    wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, late] }),
  });
  for (const tools of [[], [look]]) {
    const bare = await asBare((of) => {
      world.server.script(() => ({ text: "Yes." }));
      return ending(of.createAgent({ model: world.model(), tools, middleware: [adding] }));
    });
    expect(JSON.stringify(bare)).toContain("You have added a new tool");
  }
});

it("a tool that a middleware adds, and another one runs, is run", async () => {
  const adding = createMiddleware({
    name: "adding",
    wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, late] }),
    wrapToolCall: (request, handler) => handler({ ...request, tool: late }),
  });
  const bare = await asBare((of) => {
    world.server.script({ toolCalls: [{ name: "late", arguments: {} }] }, { text: "Yes." });
    return ending(of.createAgent({ model: world.model(), middleware: [adding] }));
  });
  expect(bare).toMatchObject({ asked: 2 });
});

/** Keeps what the model call further in throws, to one middleware. */
const catching = (name: string, caught: unknown[]) =>
  createMiddleware({
    name,
    async wrapModelCall(request, handler) {
      try {
        return await handler(request);
      } catch (error) {
        caught.push([name, told(error)]);
        throw error;
      }
    },
  });

it("middlewares of the user see the model's own error, and each other's as LangChain wraps it", async () => {
  await asBare(async (of) => {
    const caught: unknown[] = [];
    world.server.script(() => ({ fault: { status: 503 } }));
    const middleware = [catching("outer", caught), catching("inner", caught)];
    return [await ending(of.createAgent({ model: world.model(), middleware })), caught];
  });
});

it("an error of a model that a middleware asks by itself reaches the caller as without plugins", async () => {
  const asking = createMiddleware({
    name: "asking",
    async wrapModelCall(request) {
      return (await (request.model as BaseChatModel).invoke("Hello.")) as langchain.AIMessage;
    },
  });
  await asBare(async (of) => {
    world.server.script(() => ({ fault: { status: 503 } }));
    return ending(of.createAgent({ model: world.model(), middleware: [asking] }));
  });
});

it("a middleware that retries certain errors of the model retries them", async () => {
  const retrying = () =>
    modelRetryMiddleware({
      maxRetries: 1,
      initialDelayMs: 0,
      onFailure: "error",
      retryOn: (error) => (error as Error & { status?: number }).status === 503,
    }) as unknown as langchain.AgentMiddleware;
  const bare = await asBare((of) => {
    world.server.script({ fault: { status: 503 } }, { text: "At last." });
    return ending(of.createAgent({ model: world.model(), middleware: [retrying()] }));
  });
  expect(bare).toMatchObject({ asked: 2 });
});

it("a Command that a middleware gives in the model's place is applied once", async () => {
  const routing = createMiddleware({
    name: "routing",
    stateSchema: new StateSchema({
      routes: new ReducedValue(
        z.array(z.string()).default(() => []),
        { reducer: (all, more) => [...all, ...more] },
      ),
    }),
    wrapModelCall: async () => new Command({ update: { routes: ["routed"] } }),
  });
  const bare = await asBare(async (of) => {
    const agent = of.createAgent({ model: world.model(), middleware: [routing] });
    return ((await agent.invoke(asks("Hello.") as never)) as { routes?: unknown }).routes;
  });
  expect(bare).toEqual(["routed"]);
});

it("a middleware that is an instance of a class keeps what it inherits", async () => {
  class Counting {
    readonly name = "counting";
    #count = 0;
    beforeModel() {}
    wrapModelCall(request: never, handler: (request: never) => unknown) {
      this.#count++;
      return handler(request);
    }
    get count() {
      return this.#count;
    }
  }
  const bare = await asBare(async (of) => {
    world.server.script({ text: "Yes." });
    const counting = new Counting();
    const middleware = [counting as unknown as langchain.AgentMiddleware];
    return [await ending(of.createAgent({ model: world.model(), middleware })), counting.count];
  });
  expect(bare).toMatchObject([{ asked: 1 }, 1]);
});
