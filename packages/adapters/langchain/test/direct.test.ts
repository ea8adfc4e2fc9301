import { afterEach, describe, expect, it } from "@jest/globals";
import type { AIMessageChunk } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Command, MemorySaver } from "@langchain/langgraph";
import { definePlugin, type Plugin } from "@suite/core";
import * as langchain from "langchain";
import { createMiddleware, tool } from "langchain";
import { z } from "zod";
import { promisesOf } from "../../../../integration-tests/promises.js";
import { pluginMiddleware, withPlugins } from "../src/index.js";
import { approving, asks, collect, rejection, useServer } from "./support.js";

const world = useServer();
const log: string[] = [];
afterEach(() => void log.splice(0));

/** Has no hook that has to stand in the framework's path. */
const watching: Plugin = definePlugin({
  name: "watching",
  begin: ({ parent }) => void log.push(parent === undefined ? "begin" : "begin within"),
  end: () => void log.push("end"),
  observe: ({ type }) => void log.push(type),
});
const { createAgent } = withPlugins(langchain, [watching]);

type Agent = ReturnType<typeof langchain.createAgent>;
const agentOf = (create: typeof langchain.createAgent, words = 10): Agent =>
  create({ model: new FakeListChatModel({ responses: ["a".repeat(words)] }) }) as Agent;

const ways: Record<string, (agent: Agent) => Promise<unknown>> = {
  invoke: async (agent) => agent.invoke(asks("Hello.")),
  stream: async (agent) => collect(await agent.stream(asks("Hello."), { streamMode: "messages" })),
  streamEvents: async (agent) => collect(agent.streamEvents(asks("Hello."), { version: "v2" })),
};

describe("a plugin without a hook in the path", () => {
  it.each(Object.keys(ways))("makes at most 1.1 times the promises, per call and per chunk: %s", async (name) => {
    const way = ways[name] as (typeof ways)[string];
    const count = (create: typeof langchain.createAgent, words: number) =>
      promisesOf(() => way(agentOf(create, words)));
    const [bare, ours] = [await count(langchain.createAgent, 1), await count(createAgent as never, 1)];
    expect(ours).toBeLessThanOrEqual(bare * 1.1);
    if (name === "invoke") return;
    const [bareLong, oursLong] = [await count(langchain.createAgent, 101), await count(createAgent as never, 101)];
    expect(oursLong - ours).toBeLessThanOrEqual((bareLong - bare) * 1.1);
  });

  it.each(Object.keys(ways))("has its begin, and its end before the reader's: %s", async (name) => {
    await (ways[name] as (typeof ways)[string])(agentOf(createAgent as never));
    log.push("read");
    expect(log).toEqual(["begin", "end", "read"]);
  });

  it("leaves models, tools and middlewares as they are", async () => {
    const model = new FakeListChatModel({ responses: ["Yes."] });
    const seen: unknown[] = [];
    const middleware = createMiddleware({
      name: "seeing",
      wrapModelCall(request, handler) {
        seen.push(request.model);
        return handler(request);
      },
    });
    await createAgent({ model, middleware: [middleware, pluginMiddleware([watching])] }).invoke(asks("Hello."));
    expect(seen).toEqual([model]);
    expect(seen[0]).toBe(model);
    expect(log).toEqual(["begin", "end"]);
  });

  it("has each model call as a run of its own in a middleware alone", async () => {
    world.server.script({ text: "Yes." });
    await langchain
      .createAgent({ model: world.model(), middleware: [pluginMiddleware([watching])] })
      .invoke(asks("Hi."));
    expect(log).toEqual(["begin", "end"]);
  });

  it("leaves models that are no chat models alone", async () => {
    const model = world.model().pipe((answer) => answer);
    world.server.script({ text: "Yes." });
    const { messages } = await createAgent({ model: model as never }).invoke(asks("Hello."));
    expect(messages.at(-1)?.text).toBe("Yes.");
  });

  it("finds the run of an agent that its agent is a tool of", async () => {
    const inner = createAgent({ model: world.model(), name: "inner" });
    const ask = tool(async () => (await inner.invoke(asks("?"))).messages.at(-1)?.text, {
      name: "ask",
      schema: z.object({}),
    });
    world.server.script({ toolCalls: [{ name: "ask", arguments: {} }] }, { text: "!" }, { text: "!" });
    await collect(await createAgent({ model: world.model(), tools: [ask] }).stream(asks("Hello.")));
    expect(log).toEqual(["begin", "begin within", "end", "end"]);
  });

  it("has its end where the agent fails, and the error is as it is without", async () => {
    const failing = async (create: typeof langchain.createAgent) => {
      world.server.script(() => ({ fault: { status: 503 } }));
      const agent = create({ model: world.model() });
      const invoked = await rejection(agent.invoke(asks("Hello.")));
      return [invoked, await rejection(agent.stream(asks("Hello.")).then(collect))].map(({ name, message }) => [
        name,
        message,
      ]);
    };
    expect(await failing(createAgent as never)).toEqual(await failing(langchain.createAgent));
    expect(log).toEqual(["begin", "end", "begin", "end"]);
  });

  it("hears that a run waits, and that it goes on", async () => {
    const look = tool(() => "seen", { name: "look", schema: z.object({}) });
    for (const streamed of [false, true]) {
      const runs: string[] = [];
      const keeping = definePlugin({ name: "keeping", begin: ({ runId }) => void runs.push(runId) });
      const { createAgent } = withPlugins(langchain, [watching, keeping]);
      const agent = createAgent({
        model: world.model(),
        tools: [look],
        middleware: [approving({ look: true })],
        checkpointer: new MemorySaver(),
      });
      world.server.reset();
      world.server.script({ toolCalls: [{ name: "look", arguments: {} }] }, { text: "Seen." });
      const config = { configurable: { thread_id: "t" } };
      const go = async (input: unknown) =>
        streamed ? collect(await agent.stream(input as never, config)) : agent.invoke(input as never, config);
      await go(asks("Look."));
      await go(new Command({ resume: { decisions: [{ type: "approve" }] } }));
      expect(log.splice(0)).toEqual(["begin", "suspension", "end", "begin", "resume", "approval", "end"]);
      expect(runs[1]).toBe(runs[0]);
    }
  });
});

describe("a stream that is only watched", () => {
  const opened = () => agentOf(createAgent as never).stream(asks("Hello."), { streamMode: "messages" });
  const texts = (chunks: readonly unknown[]) => chunks.map((chunk) => (chunk as [AIMessageChunk])[0].text).join("");

  const readings: Record<string, (stream: ReadableStream<unknown>) => Promise<unknown[]>> = {
    "by a reader": async (stream) => {
      const reader = stream.getReader();
      const all: unknown[] = [];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return all;
        all.push(value);
      }
    },
    "through another stream": (stream) => collect(stream.pipeThrough(new TransformStream()) as never),
    "into another stream": async (stream) => {
      const all: unknown[] = [];
      await stream.pipeTo(new WritableStream({ write: (chunk) => void all.push(chunk) }));
      return all;
    },
    "in two": async (stream) => {
      const [one, other] = stream.tee();
      const [all] = await Promise.all([collect(one as never), collect(other as never)]);
      return all;
    },
    "by its values": (stream) => collect(stream.values() as never),
  };

  it.each(Object.keys(readings))("has its end when it is read: %s", async (name) => {
    const read = readings[name] as (typeof readings)[string];
    expect(texts(await read((await opened()) as never))).toBe("a".repeat(10));
    expect(log).toEqual(["begin", "end"]);
  });

  it("has its end when it is left off", async () => {
    for await (const _ of await opened()) break;
    await (await opened()).cancel();
    await (await opened()).getReader().cancel();
    expect(log).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
  });

  it("is of the class that LangChain gives", async () => {
    const [ours, bare] = [await opened(), await agentOf(langchain.createAgent).stream(asks("Hello."))];
    expect(ours.constructor).toBe(bare.constructor);
    await Promise.all([collect(ours), collect(bare)]);
  });
});
