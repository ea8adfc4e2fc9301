import { describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { definePlugin, type ModelRequest, message, text } from "@suite/core";
import { redacting } from "@suite/testkit";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { asks, collect, rejection, useServer } from "./support.js";

const world = useServer();

/** Keeps what models are asked. */
function seeing() {
  const seen: ModelRequest[] = [];
  const plugin = definePlugin({
    name: "seeing",
    async model({ request }, callNext) {
      seen.push(request);
      await callNext();
    },
  });
  return { seen, plugin };
}

/** Says something else than the model. */
const shouting = definePlugin({
  name: "shouting",
  async model(invocation, callNext) {
    await callNext();
    invocation.pipe({
      chunk(delta, emit) {
        if (delta.type !== "part" || delta.part.type !== "text") return emit(delta);
        emit({ ...delta, part: text(delta.part.content.toUpperCase()) });
      },
    });
  },
});

describe("what a plugin makes of an answer", () => {
  const agent = () => withPlugins(langchain, [shouting]).createAgent({ model: world.model() });
  const script = () => world.server.script({ text: "good morning", chunks: 4 });

  it("is what invoke gives", async () => {
    script();
    const { messages } = await agent().invoke(asks("Hello."));
    expect(messages.at(-1)?.content).toBe("GOOD MORNING");
  });

  it("is what the mode messages streams, piece by piece", async () => {
    script();
    const chunks = await collect(await agent().stream(asks("Hello."), { streamMode: "messages" }));
    const pieces = chunks.map(([chunk]) => chunk.text).filter(Boolean);
    expect(pieces).toEqual(["GOOD", " MOR", "NING"]);
  });

  it("is what events of version 2 have, and their ends", async () => {
    script();
    const events = await collect(agent().streamEvents(asks("Hello."), { version: "v2" }));
    const pieces = events.filter(({ event }) => event === "on_chat_model_stream").map(({ data }) => data.chunk.text);
    const [end] = events.filter(({ event }) => event === "on_chat_model_end").map(({ data }) => data.output.text);
    expect([pieces.join(""), end]).toEqual(["GOOD MORNING", "GOOD MORNING"]);
  });

  it("is what events of version 3 have", async () => {
    script();
    const run = await agent().streamEvents(asks("Hello."), { version: "v3" });
    const pieces: string[] = [];
    for await (const streamed of run.messages) for await (const piece of streamed.text) pieces.push(piece);
    expect([pieces, (await run.output).messages.at(-1)?.text]).toEqual([["GOOD", " MOR", "NING"], "GOOD MORNING"]);
  });

  it("counts tokens as the provider did", async () => {
    world.server.script({ text: "a b", usage: { inputTokens: 20, outputTokens: 7 } });
    const { messages } = await agent().invoke(asks("Hello."));
    expect(messages.at(-1)).toMatchObject({ usage_metadata: { input_tokens: 20, output_tokens: 7 } });
  });
});

it("a model call is seen once, however it is asked for", async () => {
  const { seen, plugin } = seeing();
  const agent = withPlugins(langchain, [plugin]).createAgent({ model: world.model() });
  const counts: number[] = [];
  world.server.script(() => ({ text: "Hello." }));
  const ways = [
    async () => agent.invoke(asks("Hello.")),
    async () => collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "updates"] })),
    async () => collect(agent.streamEvents(asks("Hello."), { version: "v2" })),
    async () => (await agent.streamEvents(asks("Hello."), { version: "v3" })).output,
  ];
  for (const way of ways) {
    await way();
    counts.push(seen.splice(0).length);
  }
  expect(counts).toEqual([1, 1, 1, 1]);
});

it("a model request names the model, its provider, the server, its settings, and whether it streams", async () => {
  const { seen, plugin } = seeing();
  const model = world.model({ temperature: 0.5, maxTokens: 100 });
  const agent = withPlugins(langchain, [plugin]).createAgent({ model });
  world.server.script({ text: "a" }, { text: "b" });
  await agent.invoke(asks("Hello."));
  await collect(await agent.stream(asks("Hello."), { streamMode: "messages" }));
  const server = { address: "127.0.0.1", port: Number(new URL(world.server.url).port) };
  const settings = { temperature: 0.5, maxTokens: 100 };
  expect(seen[0]).toMatchObject({ model: "gpt-5", provider: "openai", server, settings, stream: false });
  expect(seen[1]?.stream).toBe(true);
});

it("a model call that is tried again asks the model again, with a clean request", async () => {
  const { seen, plugin } = seeing();
  const retrying = definePlugin({
    name: "retrying",
    async model(_invocation, callNext) {
      await callNext().catch(() => callNext());
    },
  });
  const agent = withPlugins(langchain, [retrying, plugin]).createAgent({ model: world.model() });
  world.server.script({ fault: { status: 400 } }, { text: "At last." });
  const { messages } = await agent.invoke(asks("Hello."));
  expect([messages.at(-1)?.text, seen.length, seen[0]?.messages]).toEqual(["At last.", 2, seen[1]?.messages]);
});

describe("a layer that answers in the model's place", () => {
  const answering = definePlugin({
    name: "answering",
    async model(invocation) {
      invocation.respond({ value: { message: message("assistant", "From the cache.") } });
    },
  });

  it("is what invoke and streams give, and no model is asked", async () => {
    const agent = withPlugins(langchain, [answering]).createAgent({ model: world.model() });
    const { messages } = await agent.invoke(asks("Hello."));
    const chunks = await collect(await agent.stream(asks("Hello."), { streamMode: "messages" }));
    expect([messages.at(-1)?.text, chunks.map(([chunk]) => chunk.text).join("")]).toEqual([
      "From the cache.",
      "From the cache.",
    ]);
    expect(world.prompts).toEqual([]);
  });

  it("tells callbacks nothing of what was asked", async () => {
    const asked: unknown[] = [];
    const agent = withPlugins(langchain, [answering]).createAgent({ model: world.model() });
    const callbacks = [{ handleChatModelStart: (_model: unknown, messages: unknown) => void asked.push(messages) }];
    await agent.invoke(asks("Hello."), { callbacks });
    expect(asked).toEqual([[[]]]);
  });
});

it("what a layer throws is what the user catches, the same object", async () => {
  const error = new RangeError("enough");
  const throwing = definePlugin({
    name: "throwing",
    async model() {
      throw error;
    },
  });
  const agent = withPlugins(langchain, [throwing]).createAgent({ model: world.model() });
  expect(await rejection(agent.invoke(asks("Hello.")))).toBe(error);
  expect(await rejection(agent.stream(asks("Hello."), { streamMode: "values" }).then(collect))).toBe(error);
});

describe("what nobody changes reaches the model as it is", () => {
  /** The messages that the model is given. */
  async function given(input: langchain.BaseMessage[], systemPrompt?: langchain.SystemMessage) {
    const messages: unknown[] = [];
    const { createAgent } = withPlugins(langchain, [seeing().plugin]);
    const agent = createAgent({ model: world.model(), ...(systemPrompt && { systemPrompt }) });
    world.server.script({ text: "Yes." });
    const handleChatModelStart = (_model: unknown, [asked]: unknown[][]) => void messages.push(...(asked ?? []));
    await agent.invoke({ messages: input }, { callbacks: [{ handleChatModelStart }] });
    return messages;
  }

  it("messages are the very same objects", async () => {
    const history = [
      new HumanMessage({ content: "One", id: "1" }),
      new AIMessage({
        content: [
          { type: "reasoning", reasoning: "Hm." },
          { type: "text", text: "Two" },
        ],
        id: "2",
      }),
      new HumanMessage({ content: [{ type: "text", text: "And?", cache_control: { type: "ephemeral" } }], id: "3" }),
    ];
    const messages = await given(history);
    expect([messages.length, messages.every((one, index) => one === history[index])]).toEqual([3, true]);
  });

  it("a system message keeps its blocks", async () => {
    const content = [{ type: "text" as const, text: "Be brief.", cache_control: { type: "ephemeral" } }];
    const [first] = await given([new HumanMessage("Hello.")], new langchain.SystemMessage({ content }));
    expect((first as langchain.SystemMessage).content).toEqual(content);
  });
});

it("a model of initChatModel streams through the plugins, too", async () => {
  const { createAgent, initChatModel } = withPlugins(langchain, [shouting]);
  const configuration = { baseURL: `${world.server.url}/v1` };
  const model = await initChatModel("gpt-5", { modelProvider: "openai", apiKey: "none", configuration });
  world.server.script({ text: "good", chunks: 2 });
  const chunks = await collect(await createAgent({ model }).stream(asks("Hello."), { streamMode: "messages" }));
  expect(chunks.map(([chunk]) => chunk.text).filter(Boolean)).toEqual(["GO", "OD"]);
});

it("a model that always streams calls callbacks with the text after the layers", async () => {
  const tokens: string[] = [];
  const model = world.model({ streaming: true });
  const agent = withPlugins(langchain, [shouting]).createAgent({ model });
  world.server.script({ text: "good", chunks: 2 });
  const { messages } = await agent.invoke(asks("Hello."), {
    callbacks: [{ handleLLMNewToken: (token: string) => void tokens.push(token) }],
  });
  expect([tokens.join(""), messages.at(-1)?.text]).toEqual(["GOOD", "GOOD"]);
});

it("a middleware further out may change the model, the prompt and the messages, and ask again: plugins see it as it is asked", async () => {
  const { seen, plugin } = seeing();
  const other = world.model({ model: "gpt-5-mini" });
  const { createAgent, dynamicSystemPromptMiddleware, modelFallbackMiddleware } = withPlugins(langchain, [
    redacting(),
    plugin,
  ]);
  const agent = createAgent({
    model: world.model(),
    middleware: [dynamicSystemPromptMiddleware(() => "Call me@home.example."), modelFallbackMiddleware(other)],
  });
  world.server.script({ fault: { status: 400 } }, { text: "Mail me@home.example.", chunks: "characters" });
  const chunks = await collect(await agent.stream(asks("Hello."), { streamMode: "messages" }));
  expect(seen.map(({ model }) => model)).toEqual(["gpt-5", "gpt-5-mini"]);
  expect(world.prompts.map((prompt) => prompt.includes("me@home"))).toEqual([false, false]);
  expect(chunks.map(([chunk]) => chunk.text).join("")).toBe("Mail [EMAIL]");
});

describe("a layer that suspends a model call, from which LangGraph could not go on, is refused:", () => {
  const suspending = definePlugin({
    name: "suspending",
    async reasoning(_, callNext) {
      await callNext();
    },
    async model(invocation) {
      invocation.respond({ suspended: [] });
    },
  });
  const agent = () => withPlugins(langchain, [suspending]).createAgent({ model: world.model() });

  it("invoked", async () => {
    expect(await rejection(agent().invoke(asks("Hello.")))).toMatchObject({ code: "ERR_LANGCHAIN_SUSPENDED" });
  });

  it("streamed", async () => {
    const streamed = agent().stream(asks("Hello."), { streamMode: "messages" }).then(collect);
    expect(await rejection(streamed)).toMatchObject({ code: "ERR_LANGCHAIN_SUSPENDED" });
  });
});

it("what is no chat model of LangChain is refused: its streams would pass by", async () => {
  const { createAgent } = withPlugins(langchain, [shouting]);
  const model = world.model().pipe((answer) => answer);
  const agent = createAgent({ model: model as never });
  expect(await rejection(agent.invoke(asks("Hello.")))).toMatchObject({ code: "ERR_LANGCHAIN_MODEL" });
});
