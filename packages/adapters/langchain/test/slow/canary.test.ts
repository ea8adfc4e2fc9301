import { expect, it, jest } from "@jest/globals";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { Command, getWriter, MemorySaver } from "@langchain/langgraph";
import * as langchain from "langchain";
import { z } from "zod";
import { everything } from "../../../../../integration-tests/planted.mjs";
import { found, textOf, watched } from "../../../../../integration-tests/watched.js";
import { withPlugins } from "../../src/index.js";
import { approving, asks, collect, useServer } from "../support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();
const text = `Of ${everything}.`;

/** A handler of the user's own, who is told all that LangChain tells. */
class Listener extends BaseCallbackHandler {
  readonly name = "listener";
  readonly heard: unknown[] = [];
  constructor() {
    super();
    const heard = this.heard;
    const listen = (...told: unknown[]): void => void heard.push(told);
    Object.assign(this, {
      ...{ handleLLMNewToken: listen, handleLLMEnd: listen, handleLLMError: listen, handleChatModelStart: listen },
      ...{ handleToolStart: listen, handleToolEnd: listen, handleToolError: listen, handleToolEvent: listen },
      ...{ handleChainStart: listen, handleChainEnd: listen, handleChainError: listen, handleCustomEvent: listen },
    });
  }
}

/** An agent with a tool that answers, one that fails, one that tells of its progress, and one that is an agent. */
function agentWith(plugins: ReturnType<typeof watched>["plugins"], reached: unknown[]) {
  const { createAgent } = withPlugins(langchain, plugins);
  const schema = z.object({ of: z.string() });
  const look = langchain.tool(
    ({ of }, { writer }: langchain.ToolRuntime) => {
      reached.push(of);
      writer?.(text);
      getWriter()?.({ note: text });
      return { people: [{ text }], [text]: 1 };
    },
    { name: "look", schema },
  );
  const fail = langchain.tool(
    () => {
      throw new Error(text);
    },
    { name: "fail", schema },
  );
  const progress = langchain.tool(
    async function* () {
      yield text;
      return text;
    },
    { name: "progress", schema },
  );
  const model = world.model();
  const inner = createAgent({ model, name: "inner", tools: [look] });
  const ask = langchain.tool(async ({ of }) => (await inner.invoke(asks(of))).messages.at(-1)?.text, {
    name: "ask",
    schema,
  });
  return createAgent({ model, name: "outer", tools: [look, fail, progress, ask], systemPrompt: text });
}

const call = (name: string) => ({ name, arguments: { of: text } });
/** LangChain's version 3 loses the first tool call of an answer that has text, too. */
const script = (name: string) =>
  world.server.script(
    {
      ...(!name.endsWith("version 3") && { text }),
      toolCalls: [call("look"), call("fail"), call("progress")],
      chunks: 7,
    },
    { toolCalls: [call("ask")], chunks: 5 },
    { toolCalls: [call("look")], chunks: 5 },
    { text, chunks: 3 },
    { text, chunks: 2 },
  );

type Agent = ReturnType<typeof agentWith>;
type Entry = (agent: Agent, content: string, more: object) => Promise<unknown>;

const streamed =
  (config: object): Entry =>
  async (agent, content, more) =>
    collect(await agent.stream(asks(content), { ...config, ...more }));

const modes = ["values", "updates", "messages", "custom", "debug", "tasks", "tools"] as const;

/** The others one by one only in the long form: all are in the stream of all modes. */
const single = process.env.TEST_LONG === undefined ? (["updates", "messages"] as const) : modes;

const entries: Record<string, Entry> = {
  invoke: async (agent, content, more) => agent.invoke(asks(content), more),
  ...Object.fromEntries(single.map((streamMode) => [`stream of ${streamMode}`, streamed({ streamMode })])),
  "stream of all modes, with subgraphs": streamed({ streamMode: [...modes], subgraphs: true }),
  "stream of bytes": streamed({ streamMode: "messages", encoding: "text/event-stream" }),
  "streamEvents, version 1": async (agent, content, more) =>
    collect(agent.streamEvents(asks(content), { version: "v1", ...more })),
  "streamEvents, version 2": async (agent, content, more) =>
    collect(agent.streamEvents(asks(content), { version: "v2", ...more })),
  "streamEvents, version 3": async (agent, content, more) => {
    const run = await agent.streamEvents(asks(content), { version: "v3", ...more });
    const messages = async () => {
      const all = [];
      for await (const message of run.messages) all.push(await message.text, await collect(message));
      return all;
    };
    const calls = async () => {
      const all = [];
      for await (const { name, input, output } of run.toolCalls) {
        all.push(name, input, await Promise.resolve(output).catch((error: unknown) => error));
      }
      return all;
    };
    return Promise.all([collect(run), messages(), calls(), run.output, collect(run.values)]);
  },
};

it.each(Object.entries(entries))("%s exposes no output of a model or a tool", async (name, entry) => {
  const { plugins, written } = watched({ order: Object.keys(entries).indexOf(name) % 6 });
  const reached: unknown[] = [];
  const listener = new Listener();
  script(name);
  const given = await entry(agentWith(plugins, reached), "Good morning.", { callbacks: [listener] });
  const { spans, records } = await written();
  expect({
    given: found(given),
    heard: found(listener.heard),
    reached: found(reached),
    prompts: found(world.prompts),
    spans: found(spans),
    records: found(records),
  }).toEqual({ given: [], heard: [], reached: [], prompts: [], spans: [], records: [] });
  expect([reached.length, world.prompts.length, spans.length]).toEqual([2, 5, 12]);
  expect(textOf(given)).toContain("[REDACTED_EMAIL]");
});

/** One of each way in which LangChain asks a model. */
const kinds = ["invoke", "stream of messages", "streamEvents, version 2", "streamEvents, version 3"];

it.each(Object.entries(entries).filter(([name]) => kinds.includes(name)))(
  "%s keeps what the user said from the model, spans and records",
  async (name, entry) => {
    const { plugins, written } = watched();
    script(name);
    await entry(agentWith(plugins, []), text, {});
    const { spans, records } = await written();
    expect([found(world.prompts), found(spans), found(records)]).toEqual([[], [], []]);
  },
);

it("what a person is asked, what they answer, and a tool that runs elsewhere give nothing away", async () => {
  const { plugins, written } = watched();
  const { createAgent, tool } = withPlugins(langchain, plugins);
  const reached: unknown[] = [];
  const schema = z.object({ of: z.string() });
  const pay = tool(({ of }) => void reached.push(of), { name: "pay", schema });
  const elsewhere = tool({ name: "locate", description: "Where it is.", schema });
  const agent = createAgent({
    model: world.model(),
    tools: [pay, elsewhere],
    checkpointer: new MemorySaver(),
    middleware: [approving({ pay: { allowedDecisions: ["edit"], description: text } })],
  });
  world.server.script({ toolCalls: [call("pay")] }, { toolCalls: [call("locate")] }, { text });
  const config = { configurable: { thread_id: "t" } };
  const first = await agent.invoke(asks("Good morning."), config);
  const decisions = [{ type: "edit", editedAction: { name: "pay", args: { of: text } } }];
  const second = await agent.invoke(new Command({ resume: { decisions } }), config);
  const third = await agent.invoke(new Command({ resume: { place: text } }), config);
  const { spans, records } = await written();
  const given = [first, second, third];
  expect([given, reached, world.prompts, spans, records].map(found)).toEqual([[], [], [], [], []]);
  expect([reached.length, world.prompts.length]).toEqual([1, 3]);
});

it("a structured answer gives nothing away", async () => {
  const { plugins, written } = watched();
  const { createAgent, providerStrategy, toolStrategy } = withPlugins(langchain, plugins);
  const answer = z.object({ note: z.string() });
  const answers = [];
  for (const responseFormat of [providerStrategy(answer), toolStrategy(answer)]) {
    const said = JSON.stringify({ note: text });
    const name =
      "tool" in Object(responseFormat) || Array.isArray(responseFormat) ? namesOf(responseFormat)[0] : undefined;
    world.server.script(name === undefined ? { text: said } : { toolCalls: [{ name, arguments: { note: text } }] });
    answers.push(
      await createAgent({ model: world.model(), responseFormat: responseFormat as never }).invoke(
        asks("Good morning."),
      ),
    );
  }
  const { spans, records } = await written();
  expect([answers, spans, records].map(found)).toEqual([[], [], []]);
  expect(answers.map(({ structuredResponse }) => textOf(structuredResponse).includes("[REDACTED_EMAIL]"))).toEqual([
    true,
    true,
  ]);
});

const namesOf = (strategies: unknown): string[] => [strategies].flat().map((one) => (one as { name: string }).name);

it("what a model fails with gives nothing away", async () => {
  const { plugins, written } = watched();
  const { createAgent } = withPlugins(langchain, plugins);
  const listener = new Listener();
  world.server.script({ fault: { status: 400, message: text } }, { text: "a", fault: { error: 1, message: text } });
  const agent = createAgent({ model: world.model() });
  const caught = [
    await agent.invoke(asks("Hello."), { callbacks: [listener] }).catch((error: unknown) => error),
    await collect(await agent.stream(asks("Hello."), { streamMode: "messages", callbacks: [listener] })).catch(
      (error: unknown) => error,
    ),
  ];
  const { spans, records } = await written();
  expect([caught, listener.heard, spans, records].map(found)).toEqual([[], [], [], []]);
  expect(caught.every((error) => error instanceof Error)).toBe(true);
});
