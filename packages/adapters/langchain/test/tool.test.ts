import { describe, expect, it } from "@jest/globals";
import { Command, MemorySaver } from "@langchain/langgraph";
import { definePlugin, MiddlewareTermination, type Settlement } from "@suite/core";
import * as langchain from "langchain";
import { type AgentMiddleware, ToolMessage, tool } from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { asks, collect, rejection, useServer } from "./support.js";

const world = useServer();
const schema = z.object({ of: z.string() });
const look = { name: "look", arguments: { of: "it" } };

/** Keeps how tool calls end. */
function seeing() {
  const ends: Settlement<unknown>[] = [];
  const plugin = definePlugin({
    name: "seeing",
    async tool(invocation, callNext) {
      await callNext().catch((error: unknown) => {
        ends.push({ status: "failed", error });
        throw error;
      });
      invocation.pipe({ settle: (end) => void ends.push(end) });
    },
  });
  return { ends, plugin };
}

/** Says something else than the tool. */
const replacing = (value: unknown) =>
  definePlugin({
    name: "replacing",
    async tool(invocation, callNext) {
      await callNext();
      invocation.pipe({ chunk: (_, emit) => emit(value) });
    },
  });

const toolMessages = (messages: readonly unknown[]) => messages.filter((one) => ToolMessage.isInstance(one));

describe("a tool that fails", () => {
  const error = new Error("disk 7 is full");
  const failing = tool(
    () => {
      throw error;
    },
    { name: "look", schema },
  );

  it("sends LangChain's message to the model, and the original error to the layers", async () => {
    const { ends, plugin } = seeing();
    const said = [];
    for (const { createAgent } of [langchain, withPlugins(langchain, [plugin])]) {
      world.server.script({ toolCalls: [look] }, { text: "Sorry." });
      const { messages } = await createAgent({ model: world.model(), tools: [failing] }).invoke(asks("Look."));
      said.push(toolMessages(messages).map(({ content, status, name }) => ({ content, status, name })));
    }
    expect(said[1]).toEqual(said[0]);
    expect(said[1]?.[0]?.status).toBe("error");
    expect(ends).toEqual([{ status: "failed", error }]);
    expect((ends[0] as { error: unknown }).error).toBe(error);
  });

  it("is left to a middleware that wraps tools: it tries again, and each attempt is a call", async () => {
    const { ends, plugin } = seeing();
    let times = 0;
    const flaky = tool(
      () => {
        if (++times < 3) throw error;
        return "done";
      },
      { name: "look", schema },
    );
    const { createAgent, toolRetryMiddleware } = withPlugins(langchain, [plugin]);
    world.server.script({ toolCalls: [look] }, { text: "Done." });
    await createAgent({
      model: world.model(),
      tools: [flaky],
      middleware: [toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 1, jitter: false }) as AgentMiddleware],
    }).invoke(asks("Look."));
    expect(ends.map(({ status }) => status)).toEqual(["failed", "failed", "completed"]);
  });

  it.each([
    ["call", false],
    ["run", true],
  ] as const)("with a termination of the %s ends the run: %s", async (scope, ends) => {
    const stopping = definePlugin({
      name: "stopping",
      async tool() {
        throw new MiddlewareTermination("No.", { scope });
      },
    });
    world.server.script({ toolCalls: [look] }, { text: "Sorry." });
    const agent = withPlugins(langchain, [stopping]).createAgent({ model: world.model(), tools: [failing] });
    const invoked = agent.invoke(asks("Look."));
    if (ends) expect(await rejection(invoked)).toMatchObject({ code: "ERR_MIDDLEWARE_TERMINATED" });
    else expect((await invoked).messages.at(-1)?.text).toBe("Sorry.");
  });

  it("because its arguments do not match its schema sends LangChain's message to the model", async () => {
    const { plugin } = seeing();
    const { createAgent } = withPlugins(langchain, [plugin]);
    world.server.script({ toolCalls: [{ name: "look", arguments: { of: 7 } }] }, { text: "Sorry." });
    const { messages } = await createAgent({ model: world.model(), tools: [failing] }).invoke(asks("Look."));
    expect(toolMessages(messages)[0]).toMatchObject({ status: "error" });
    expect(toolMessages(messages)[0]?.content).toMatch(/^Error invoking tool 'look'/);
  });
});

describe("what a plugin makes of a tool's result", () => {
  it.each<[string, () => unknown, unknown, unknown]>([
    ["text", () => "raw", "clean", { content: "clean" }],
    ["an object", () => ({ raw: 1 }), { clean: 1 }, { content: '{"clean":1}' }],
    [
      "a message of its own",
      () => new ToolMessage({ content: "raw", tool_call_id: "call_1", name: "look", artifact: { raw: 1 } }),
      { content: "clean", artifact: { clean: 1 } },
      { content: "clean", artifact: { clean: 1 }, tool_call_id: "call_1" },
    ],
    [
      "a command",
      () => new Command({ update: { messages: [new ToolMessage({ content: "raw", tool_call_id: "call_1" })] } }),
      { messages: ["clean"] },
      { content: "clean", tool_call_id: "call_1" },
    ],
  ])("that is %s is what the graph and the model are given", async (_, execute, value, expected) => {
    const looking = tool(execute as () => string, { name: "look", schema });
    world.server.script({ toolCalls: [{ ...look, id: "call_1" }] }, { text: "Done." });
    const agent = withPlugins(langchain, [replacing(value)]).createAgent({ model: world.model(), tools: [looking] });
    const { messages } = await agent.invoke(asks("Look."));
    expect(toolMessages(messages)[0]).toMatchObject(expected as object);
    expect(world.prompts[1]).toContain("clean");
    expect(world.prompts[1]).not.toContain("raw");
  });

  it("is what the events of its progress have", async () => {
    const looking = tool(
      async function* () {
        yield "raw";
        return "raw";
      },
      { name: "look", schema },
    );
    world.server.script({ toolCalls: [look] }, { text: "Done." });
    const agent = withPlugins(langchain, [replacing("clean")]).createAgent({ model: world.model(), tools: [looking] });
    const told = JSON.stringify(await collect(await agent.stream(asks("Look."), { streamMode: ["tools", "updates"] })));
    expect([told.includes("clean"), told.includes("raw")]).toEqual([true, false]);
  });
});

it("a layer that answers in a tool's place keeps it from running", async () => {
  let ran = false;
  const looking = tool(
    () => {
      ran = true;
      return "raw";
    },
    { name: "look", schema },
  );
  const answering = definePlugin({
    name: "answering",
    async tool(invocation) {
      invocation.respond({ value: { from: "cache" } });
    },
  });
  world.server.script({ toolCalls: [look] }, { text: "Done." });
  const agent = withPlugins(langchain, [answering]).createAgent({ model: world.model(), tools: [looking] });
  const { messages } = await agent.invoke(asks("Look."));
  expect([ran, toolMessages(messages)[0]?.content]).toEqual([false, '{"from":"cache"}']);
});

describe("a tool that a plugin offers", () => {
  const offering = (execute?: (input: unknown) => unknown) =>
    definePlugin({
      name: "offering",
      tools: () => [{ name: "clock", description: "The time.", ...(execute && { execute }) }],
    });
  const ask = { id: "call_c", name: "clock", arguments: {} };

  it("is offered to the model, and run through the layers", async () => {
    const { ends, plugin } = seeing();
    const agent = withPlugins(langchain, [offering(() => "noon"), plugin]).createAgent({ model: world.model() });
    world.server.script({ toolCalls: [ask] }, { text: "Noon." });
    await agent.invoke(asks("What time is it?"));
    expect(world.prompts[0]).toContain("The time.");
    expect(world.prompts[1]).toContain("noon");
    expect(ends).toMatchObject([{ status: "completed", final: "noon" }]);
  });

  it("and that runs elsewhere suspends the run", async () => {
    const { ends, plugin } = seeing();
    const checkpointer = new MemorySaver();
    const agent = withPlugins(langchain, [offering(), plugin]).createAgent({ model: world.model(), checkpointer });
    world.server.script({ toolCalls: [ask] }, { text: "Noon." });
    const config = { configurable: { thread_id: "t" } };
    await agent.invoke(asks("What time is it?"), config);
    const { messages } = await agent.invoke(new Command({ resume: "noon" }), config);
    expect(ends.map(({ status }) => status)).toEqual(["suspended", "completed"]);
    expect(messages.at(-1)?.text).toBe("Noon.");
  });
});
