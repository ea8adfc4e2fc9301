import { describe, expect, it } from "@jest/globals";
import {
  type AgentRequest,
  type AnyInvocation,
  type CallNext,
  definePlugin,
  message,
  type Plugin,
  type Reply,
  textOf,
} from "@suite/core";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { tool } from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { asks, collect, eventually, useServer } from "./support.js";

const world = useServer();
const look = tool(() => "seen", { name: "look", schema: z.object({}) });
const twoRounds = () =>
  world.server.script(
    { text: "Looking. ", toolCalls: [{ name: "look", arguments: {} }], usage: { inputTokens: 20, outputTokens: 7 } },
    { text: "Seen.", usage: { inputTokens: 30, outputTokens: 2 } },
  );

/** Keeps what agents are asked and answer. */
function seeing() {
  const asked: AgentRequest[] = [];
  const answered: Reply[] = [];
  const plugin = definePlugin({
    name: "seeing",
    async agent(invocation, callNext) {
      asked.push(invocation.request);
      await callNext();
      invocation.pipe({ settle: (end) => void (end.status === "completed" && answered.push(end.final)) });
    },
  });
  return { asked, answered, plugin };
}

type Agent = ReturnType<typeof langchain.createAgent>;
const ways: [string, (agent: Agent) => Promise<unknown>][] = [
  ["invoke", async (agent) => agent.invoke(asks("Look."))],
  ["a stream of updates", async (agent) => collect(await agent.stream(asks("Look."), { streamMode: "updates" }))],
  ["events of version 2", async (agent) => collect(agent.streamEvents(asks("Look."), { version: "v2" }))],
  ["events of version 3", async (agent) => (await agent.streamEvents(asks("Look."), { version: "v3" })).output],
];

it.each(ways)(
  "by %s, an agent's reply is its last message, with the tokens of all rounds and why it ended",
  async (_, way) => {
    const { asked, answered, plugin } = seeing();
    const { createAgent } = withPlugins(langchain, [plugin]);
    world.server.script(
      { toolCalls: [{ name: "look", arguments: {} }], usage: { inputTokens: 20, outputTokens: 7 } },
      { text: "Seen.", usage: { inputTokens: 30, outputTokens: 2 } },
    );
    await way(createAgent({ model: world.model(), tools: [look] }) as Agent);
    await eventually(() => answered.length > 0);
    expect(asked).toMatchObject([{ messages: [{ role: "user", parts: [{ type: "text", content: "Look." }] }] }]);
    expect(answered.map((reply) => textOf(reply.message))).toEqual(["Seen."]);
    expect(answered).toMatchObject([{ usage: { inputTokens: 50, outputTokens: 9 }, finishReason: "stop" }]);
  },
);

it("by a stream of messages, an agent's reply is all text that streamed", async () => {
  const { answered, plugin } = seeing();
  twoRounds();
  const agent = withPlugins(langchain, [plugin]).createAgent({ model: world.model(), tools: [look] });
  await collect(await agent.stream(asks("Look."), { streamMode: "messages" }));
  expect(answered.map((reply) => textOf(reply.message))).toEqual(["Looking. Seen."]);
});

it("the layers of agent may change what it is given", async () => {
  const adding = definePlugin({
    name: "adding",
    async agent(invocation, callNext) {
      const { messages } = invocation.request;
      invocation.request = { ...invocation.request, messages: [message("user", "I am Ada."), ...messages] };
      await callNext();
    },
  });
  world.server.script({ text: "Yes." });
  const { messages } = await withPlugins(langchain, [adding])
    .createAgent({ model: world.model() })
    .invoke(asks("Hello."));
  expect(messages.map(({ text }) => text)).toEqual(["I am Ada.", "Hello.", "Yes."]);
});

it("what a layer of agent answers in its place is the last message", async () => {
  const answering = definePlugin({
    name: "answering",
    async agent(invocation) {
      invocation.respond({ value: { message: message("assistant", "Not today.") } });
    },
  });
  const agent = withPlugins(langchain, [answering]).createAgent({ model: world.model() });
  const { messages } = await agent.invoke(asks("Look."));
  expect([messages.map(({ text }) => text), world.prompts]).toEqual([["Look.", "Not today."], []]);
});

it("the layers of agent may change the structured answer", async () => {
  const replacing = definePlugin({
    name: "replacing",
    async agent(invocation, callNext) {
      await callNext();
      invocation.pipe({
        chunk(delta, emit) {
          const native = delta.type === "part" && delta.part.type === "native";
          emit(native ? { ...delta, part: { type: "native", value: { structuredResponse: { note: "new" } } } } : delta);
        },
      });
    },
  });
  const { createAgent } = withPlugins(langchain, [replacing]);
  const responseFormat = langchain.providerStrategy(z.object({ note: z.string() }));
  world.server.script({ text: '{"note":"old"}' });
  const { structuredResponse } = await createAgent({ model: world.model(), responseFormat }).invoke(asks("Note it."));
  expect(structuredResponse).toEqual({ note: "new" });
});

it("the layers of a model call may choose which tools are offered, and that one is used", async () => {
  const find = tool(() => "found", { name: "find", schema: z.object({}) });
  const choosing = definePlugin({
    name: "choosing",
    async model(invocation, callNext) {
      const { request } = invocation;
      const tools = request.tools.filter(({ name }) => name === "find");
      invocation.request = { ...request, tools, toolChoice: { name: "find" } };
      await callNext();
    },
  });
  world.server.script({ text: "Yes." });
  await withPlugins(langchain, [choosing])
    .createAgent({ model: world.model(), tools: [look, find] })
    .invoke(asks("Go."));
  const { tools, tool_choice } = world.server.requests.map(({ body }) => body)[0] as {
    tools: { function: { name: string } }[];
    tool_choice: unknown;
  };
  expect(tools.map((offered) => offered.function.name)).toEqual(["find"]);
  expect(tool_choice).toEqual({ type: "function", function: { name: "find" } });
});

describe("tokens in place of personal data", () => {
  const guarded = () => withPlugins(langchain, [pii({ email: "tokenize" })]).createAgent({ model: world.model() });
  /** Says what it was sent, in pieces. */
  const echoing = () =>
    world.server.script(({ body }) => {
      const { messages } = body as { messages: { content: string }[] };
      return { text: `So: ${messages.at(-1)?.content}`, chunks: 3 };
    });

  it("are what the model is sent, and values are put back for who invokes", async () => {
    echoing();
    const { messages } = await guarded().invoke(asks("I am jane@x.com."));
    expect(world.prompts[0]).not.toContain("jane@x.com");
    expect(messages.at(-1)?.text).toBe("So: I am jane@x.com.");
  });

  it("are what the model is sent, and values are put back in a stream of messages", async () => {
    echoing();
    const chunks = await collect(await guarded().stream(asks("I am jane@x.com."), { streamMode: "messages" }));
    expect(world.prompts[0]).not.toContain("jane@x.com");
    expect(chunks.map(([chunk]) => chunk.text).join("")).toBe("So: I am jane@x.com.");
  });
});

describe("a layer that reads the whole streamed answer", () => {
  const kinds = ["agent", "reasoning", "model"] as const;
  const chunksWith = async (plugin: Plugin) => {
    world.server.reset();
    twoRounds();
    const { createAgent } = withPlugins(langchain, [plugin]);
    const stream = await createAgent({ model: world.model(), tools: [look] }).stream(asks("Look."), {
      streamMode: ["messages", "updates", "values"],
    });
    // Each run has other ids.
    const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|call_\d+_\d+|chatcmpl[-_]\w+/g;
    return (await collect(stream)).map((chunk) => JSON.stringify(chunk).replace(id, "id"));
  };

  it.each(kinds)("does not change the chunks of the graph if it is a layer of %s", async (kind) => {
    const idle = await chunksWith({ name: "layer", [kind]: (_: AnyInvocation, callNext: CallNext) => callNext() });
    expect(idle.length).toBeGreaterThan(5);
    const ended = async (invocation: AnyInvocation, callNext: CallNext) => {
      await callNext();
      await invocation.ended();
    };
    expect(await chunksWith({ name: "layer", [kind]: ended })).toEqual(idle);
  });
});
