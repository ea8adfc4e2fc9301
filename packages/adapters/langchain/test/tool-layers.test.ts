import { describe, expect, it } from "@jest/globals";
import { type BaseMessage, ToolMessage as Told, type ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import {
  definePlugin,
  type Invocation,
  MiddlewareTermination,
  type Plugin,
  type Reply,
  type ToolRequest,
} from "@suite/core";
import type { HumanInputRequest } from "@suite/core/contract";
import * as langchain from "langchain";
import { z } from "zod";
import { pluginMiddleware, withPlugins } from "../src/index.js";
import { approving, asks, collect, rejection, useServer } from "./support.js";

const world = useServer();
const schema = z.object({ of: z.string() });
const call = (name: string, id = `call_${name}`) => ({ id, name, arguments: { of: "x" } });
const named = (name: string, run: () => unknown = () => "done", more: object = {}) =>
  langchain.tool(async () => run(), { name, schema, ...more });

const toolsIn = (messages: readonly BaseMessage[]) => messages.filter((one): one is ToolMessage => one.type === "tool");
const layer = (tool: (invocation: Invocation<"tool">, next: () => Promise<void>) => Promise<void>): Plugin =>
  definePlugin({ name: "layer", tool });

describe("an answer of a tool layer", () => {
  const fails = layer(async (invocation) => invocation.respond({ value: { why: "quota" }, isError: true }));

  it.each([true, false])(
    "that says that it is an error is a message with that status (the tool was asked: %s)",
    async (asked) => {
      const plugin = layer(async (invocation, next) => {
        if (asked) await next();
        invocation.respond({ value: { why: "quota" }, isError: true });
      });
      world.server.script({ toolCalls: [call("look")] }, { text: "Done." });
      const { createAgent } = withPlugins(langchain, [plugin]);
      const { messages } = await createAgent({ model: world.model(), tools: [named("look")] }).invoke(asks("Look."));
      expect(toolsIn(messages)).toMatchObject([
        { status: "error", content: '{"why":"quota"}', tool_call_id: "call_look" },
      ]);
    },
  );

  it("of an offered tool and where the plugins are a middleware likewise", async () => {
    const offers: Plugin = { name: "offers", tools: () => [{ name: "late", execute: () => "x" }] };
    for (const make of [
      (plugins: Plugin[]) => withPlugins(langchain, plugins).createAgent({ model: world.model() }),
      (plugins: Plugin[]) => langchain.createAgent({ model: world.model(), middleware: [pluginMiddleware(plugins)] }),
    ]) {
      world.server.script({ toolCalls: [call("late")] }, { text: "Done." });
      const { messages } = await make([offers, fails]).invoke(asks("Look."));
      expect(toolsIn(messages)).toMatchObject([{ status: "error" }]);
    }
  });

  it("is discarded if an outer layer answers differently, whatever the tool returned", async () => {
    const outer = layer(async (invocation, next) => {
      await next();
      expect(invocation.result?.isError).toBe(true);
      invocation.respond({ value: "cached" });
    });
    const says = named("look", () => new Told({ content: "no", tool_call_id: "call_look", status: "error" }));
    world.server.script({ toolCalls: [call("look")] }, { text: "Done." });
    const { createAgent } = withPlugins(langchain, [outer]);
    const { messages } = await createAgent({ model: world.model(), tools: [says] }).invoke(asks("Look."));
    expect(toolsIn(messages)).toMatchObject([{ status: "success", content: "cached" }]);
  });

  it("of failure that the tool itself gave is the very message", async () => {
    const told = new Told({ content: "no", tool_call_id: "call_look", status: "error" });
    let isError: boolean | undefined;
    const watches = layer(async (invocation, next) => {
      await next();
      isError = invocation.result?.isError;
    });
    world.server.script({ toolCalls: [call("look")] }, { text: "Done." });
    const { createAgent } = withPlugins(langchain, [watches]);
    const agent = createAgent({ model: world.model(), tools: [named("look", () => told)] });
    const { messages } = await agent.invoke(asks("Look."));
    expect([isError, toolsIn(messages)[0] === told]).toEqual([true, true]);
  });
});

describe("a layer that ends the run with a reply", () => {
  const ends = layer(async ({ request }, next) => {
    if (request.tool.name === "stop") throw new MiddlewareTermination("limit", { reply: "That was enough." });
    await next();
  });
  const replies: Reply[] = [];
  const watches = definePlugin({
    name: "watches",
    async agent(invocation, next) {
      await next();
      invocation.pipe({
        settle: (settlement) => void (settlement.status === "completed" && replies.push(settlement.final)),
      });
    },
  });

  it.each([[[ends]], [[watches, ends]]])(
    "in place of a tool: its siblings end, the model is not asked again",
    async (plugins) => {
      let slow = 0;
      const tools = [named("stop"), named("slow", () => `${++slow}`)];
      const { createAgent } = withPlugins(langchain, plugins);
      const checkpointer = new MemorySaver();
      const agent = createAgent({ model: world.model(), tools, checkpointer });
      world.server.script({ text: "I try.", toolCalls: [call("slow"), call("stop")] }, { text: "Hello again." });
      const config = { configurable: { thread_id: "t" } };
      const { messages } = await agent.invoke(asks("Go."), config);
      expect(messages.map(({ type, text }) => [type, text])).toEqual([
        ["human", "Go."],
        ["ai", "I try."],
        ["tool", "1"],
        ["tool", "The call of stop was stopped: limit"],
        ["ai", "That was enough."],
      ]);
      expect(toolsIn(messages).map(({ status }) => status)).toEqual(["success", "error"]);
      expect(world.prompts).toHaveLength(1);
      const next = await agent.invoke(asks("And now?"), config);
      expect(next.messages.at(-1)?.text).toBe("Hello again.");
      if (plugins.length > 1)
        expect(replies[0]?.message.parts).toEqual([{ type: "text", content: "That was enough." }]);
    },
  );

  it("in place of a tool, streamed: the reply is in the stream", async () => {
    world.server.script({ toolCalls: [call("stop")] });
    const { createAgent } = withPlugins(langchain, [watches, ends]);
    const agent = createAgent({ model: world.model(), tools: [named("stop")] });
    const chunks = await collect(await agent.stream(asks("Go."), { streamMode: ["messages", "values"] }));
    const said = chunks.flatMap(([mode, value]) => (mode === "messages" ? [value[0].text] : []));
    expect(said.join("")).toContain("That was enough.");
    const states = chunks.flatMap(([mode, value]) => (mode === "values" ? [value.messages.at(-1)?.text] : []));
    expect(states.at(-1)).toBe("That was enough.");
  });

  it("in place of the model", async () => {
    const plugin = definePlugin({
      name: "budget",
      model: () => Promise.reject(new MiddlewareTermination("spent", { reply: "The budget is spent." })),
    });
    const { createAgent } = withPlugins(langchain, [plugin]);
    const { messages } = await createAgent({ model: world.model() }).invoke(asks("Go."));
    expect([messages.at(-1)?.text, world.prompts.length]).toEqual(["The budget is spent.", 0]);
  });

  it("ends it with its error if the graph ends with a tool, without an agent, and without a reply", async () => {
    const tools = [named("stop"), named("last", () => "x", { returnDirect: true })];
    const code = "ERR_MIDDLEWARE_TERMINATED";
    world.server.script({ toolCalls: [call("stop"), call("last")] });
    const watched = withPlugins(langchain, [watches, ends]).createAgent({ model: world.model(), tools });
    expect(await rejection(watched.invoke(asks("Go.")))).toMatchObject({ code });
    world.server.reset();
    world.server.script({ toolCalls: [call("stop")] }, { toolCalls: [call("stop")] });
    const middleware = [pluginMiddleware([ends])];
    const alone = langchain.createAgent({ model: world.model(), tools: [named("stop")], middleware });
    expect(await rejection(alone.invoke(asks("Go.")))).toMatchObject({ cause: { code } });
    const plain = layer(() => Promise.reject(new MiddlewareTermination("limit")));
    const failing = withPlugins(langchain, [plain]).createAgent({ model: world.model(), tools: [named("stop")] });
    expect(await rejection(failing.invoke(asks("Go.")))).toMatchObject({ code, message: "limit" });
  });
});

it("requests of tools and of people know the calls of the answer and the history", async () => {
  const seen: (ToolRequest | HumanInputRequest)[] = [];
  const plugin = definePlugin({
    name: "watch",
    async tool(invocation, next) {
      seen.push(invocation.request);
      await next();
    },
    async humanInput({ request }, next) {
      seen.push(request);
      await next();
    },
  });
  const { createAgent } = withPlugins(langchain, [plugin]);
  const agent = createAgent({
    model: world.model(),
    tools: [named("look"), named("pay")],
    middleware: [approving({ pay: true })],
    checkpointer: new MemorySaver(),
  });
  world.server.script({ toolCalls: [call("look", "0")] }, { toolCalls: [call("pay", "1"), call("look", "2")] });
  await agent.invoke(asks("Go."), { configurable: { thread_id: "t" } });
  expect(seen.map(({ batch }) => batch?.map(({ id }) => id))).toEqual([["0"], ["1", "2"]]);
  expect(seen.map(({ history }) => history?.map(({ role }) => role))).toEqual([
    ["user", "assistant"],
    ["user", "assistant", "tool", "assistant"],
  ]);
});
