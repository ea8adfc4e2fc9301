import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { redacting } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import * as langchain from "langchain";
import { z } from "zod";
import { watched } from "../../../../integration-tests/watched.js";
import { pluginMiddleware, withPlugins } from "../src/index.js";
import { asks, collect, rejection, useServer } from "./support.js";

const world = useServer();
const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
afterEach(() => {
  delete process.env.LANGSMITH_TRACING;
  warn.mockClear();
});

const counting = () => {
  const kinds: string[] = [];
  const plugin = definePlugin({
    name: "counting",
    async agent(_, callNext) {
      kinds.push("agent");
      await callNext();
    },
    async model({ call }, callNext) {
      kinds.push(call.parent === undefined ? "model" : `model in ${call.parent.kind}`);
      await callNext();
    },
  });
  return { kinds, plugin };
};

const compressing = definePlugin({ name: "compressing", async compressContext() {} });

it("tracing, pii and audit are accepted, by type and at run time", () => {
  withPlugins(langchain, [tracing(), pii({ email: "redact" })]);
  expect(withPlugins(langchain, watched().plugins).createAgent).not.toBe(langchain.createAgent);
});

it("a plugin that requires a hook which LangChain has no place for is refused, by type and at run time", () => {
  // @ts-expect-error compressContext has no place in LangChain
  expect(() => withPlugins(langchain, [compressing])).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
});

it("a middleware refuses what it alone has no place for, by type and at run time", () => {
  const { plugin } = counting();
  // @ts-expect-error a middleware hears nothing of how a run begins and ends
  expect(() => pluginMiddleware([plugin])).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
});

it("all of LangChain but createAgent is LangChain's own, and LangChain itself stays as it is", () => {
  const { createAgent } = langchain;
  const { createAgent: wrapped, ...rest } = withPlugins(langchain, [redacting()]);
  expect([langchain.createAgent, wrapped === createAgent]).toEqual([createAgent, false]);
  expect(rest.tool).toBe(langchain.tool);
});

describe("plugins that are attached twice are one pipeline:", () => {
  it("by withPlugins on what it gave", async () => {
    const { kinds, plugin } = counting();
    const { createAgent } = withPlugins(withPlugins(langchain, [plugin]), [plugin, redacting()]);
    world.server.script({ text: "Yes." });
    await createAgent({ model: world.model() }).invoke(asks("Hello."));
    expect(kinds).toEqual(["agent", "model in agent"]);
  });

  it("by a middleware in a wrapped agent", async () => {
    const { kinds, plugin } = counting();
    const guard = redacting();
    const { createAgent } = withPlugins(langchain, [plugin]);
    world.server.script({ text: "ada@x.y" });
    const agent = createAgent({ model: world.model(), middleware: [pluginMiddleware([guard])] });
    const { messages } = await agent.invoke(asks("Hello."));
    expect([kinds, messages.at(-1)?.text]).toEqual([["agent", "model in agent"], "[EMAIL]"]);
  });

  it("by withConfig", async () => {
    const { kinds, plugin } = counting();
    const { createAgent } = withPlugins(langchain, [plugin]);
    world.server.script({ text: "Yes." });
    await createAgent({ model: world.model() })
      .withConfig({ tags: ["a"] })
      .invoke(asks("Hello."));
    expect(kinds).toEqual(["agent", "model in agent"]);
  });
});

describe("a middleware alone", () => {
  const agent = () => langchain.createAgent({ model: world.model(), middleware: [pluginMiddleware([redacting()])] });

  it("guards what an agent gives and streams", async () => {
    world.server.script({ text: "ada@x.y" }, { text: "ada@x.y", chunks: 2 });
    const { messages } = await agent().invoke(asks("eve@x.y"));
    const chunks = await collect(await agent().stream(asks("eve@x.y"), { streamMode: "messages" }));
    expect([messages.at(-1)?.text, chunks.map(([chunk]) => chunk.text).join("")]).toEqual(["[EMAIL]", "[EMAIL]"]);
    expect(world.prompts.join()).not.toContain("eve@x.y");
  });

  it("guards a graph that an agent is only a part of", async () => {
    world.server.script({ text: "ada@x.y" });
    const { messages } = await agent().graph.invoke(asks("Hello."));
    expect(messages.at(-1)?.text).toBe("[EMAIL]");
  });

  it("with toolErrors: throw leaves tools that fail to others", async () => {
    const error = new Error("disk 7 is full");
    const failing = langchain.tool(
      () => {
        throw error;
      },
      { name: "look", schema: z.object({}) },
    );
    const middleware = [pluginMiddleware([redacting()], { toolErrors: "throw" })];
    world.server.script({ toolCalls: [{ name: "look", arguments: {} }] });
    const invoked = langchain.createAgent({ model: world.model(), tools: [failing], middleware }).invoke(asks("Look."));
    expect(await rejection(invoked)).toBe(error);
  });
});

it("without a hook of a kind, nothing of that kind happens: the guard of tools leaves the model's words", async () => {
  world.server.script({ text: "ada@x.y" });
  const { createAgent } = withPlugins(langchain, [redacting("tool")]);
  expect((await createAgent({ model: world.model() }).invoke(asks("Hello."))).messages.at(-1)?.text).toBe("ada@x.y");
});

it("a run of an agent is one trace: agent, rounds, tools, and agents that are tools", async () => {
  const { plugins, tree, written } = watched();
  const { createAgent, tool } = withPlugins(langchain, plugins);
  const inner = createAgent({ model: world.model(), name: "researcher" });
  const schema = z.object({ prompt: z.string() });
  const ask = tool(async ({ prompt }) => (await inner.invoke(asks(prompt))).messages.at(-1)?.text, {
    name: "ask",
    schema,
  });
  const agent = createAgent({ model: world.model(), name: "desk", tools: [ask] });
  world.server.script({ toolCalls: [{ name: "ask", arguments: { prompt: "?" } }] }, { text: "!" }, { text: "!" });
  await agent.invoke(asks("Hello."));
  await written();
  expect(tree()).toEqual([
    "invoke_agent desk",
    "  chat gpt-5",
    "  execute_tool ask",
    "    invoke_agent researcher",
    "      chat gpt-5",
    "  chat gpt-5",
  ]);
});

it("LangSmith that is on is told once, with how to choose", () => {
  process.env.LANGSMITH_TRACING = "true";
  const { createAgent } = withPlugins(langchain, [redacting()]);
  createAgent({ model: world.model() });
  createAgent({ model: world.model() });
  expect(warn.mock.calls).toEqual([[expect.stringContaining("LANGSMITH_TRACING=false")]]);
});

it("the layers of agent may change what a person is told in the end, invoked and streamed", async () => {
  const polite: Plugin = definePlugin({
    name: "polite",
    async agent(invocation, callNext) {
      await callNext();
      invocation.pipe({
        chunk(delta, emit) {
          const text = delta.type === "part" && delta.part.type === "text" ? delta.part.content : undefined;
          emit(
            text === undefined
              ? delta
              : ({ ...delta, part: { type: "text", content: text.replace("you", "You") } } as typeof delta),
          );
        },
      });
    },
  });
  const { createAgent } = withPlugins(langchain, [polite]);
  world.server.script({ text: "Thank you." }, { text: "Thank you.", chunks: ["Thank ", "you."] });
  const agent = createAgent({ model: world.model() });
  const { messages } = await agent.invoke(asks("Hello."));
  const chunks = await collect(await agent.stream(asks("Hello."), { streamMode: ["messages"] }));
  const streamed = chunks.map(([, [chunk]]) => chunk.text).join("");
  expect([messages.at(-1)?.text, streamed]).toEqual(["Thank You.", "Thank You."]);
});
