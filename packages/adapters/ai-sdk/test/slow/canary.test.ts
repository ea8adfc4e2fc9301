import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { type ModelServer, startModelServer } from "@suite/testkit";
import * as ai from "ai";
import { found, text, watched } from "../../../../../integration-tests/watched.js";
import { modelOf } from "../subject.js";
import { toldBy } from "../told.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const calls = (more: object = {}) => [
  { id: "call_1", name: "look", arguments: { of: text }, ...more },
  { id: "call_2", name: "fail", arguments: { of: text }, ...more },
];
const answers = [
  { text: `I look. ${text}`, toolCalls: calls({ chunks: 9 }), chunks: 7 },
  { text, chunks: "characters" as const },
];
const object = [{ text: JSON.stringify({ said: text }), chunks: 7 }];
const schema = ai.jsonSchema<{ said: string }>({
  type: "object",
  properties: { said: { type: "string" } },
  required: ["said"],
  additionalProperties: false,
});

/** Callbacks that keep all that a user sees by them. */
function callbacks() {
  const told: unknown[] = [];
  const tell = (event: object): void => {
    told.push(toldBy(event));
  };
  return { told, onStepFinish: tell, onFinish: tell, onChunk: tell, onError: tell };
}

function tools() {
  const reached: unknown[] = [];
  const inputSchema = ai.jsonSchema<{ of: string }>({ type: "object", properties: { of: { type: "string" } } });
  return {
    reached,
    tools: {
      look: ai.tool({
        inputSchema,
        execute: async (input) => {
          reached.push(input);
          return { people: [{ said: text }] };
        },
      }),
      fail: ai.tool({
        inputSchema,
        execute: async (input): Promise<string> => {
          reached.push(input);
          throw new Error(text);
        },
      }),
    },
  };
}

type Wrapped = typeof ai;
type Seen = Promise<unknown>;

/** Each way into the framework, as a user goes it, and all that the user is given. */
const entries: Readonly<Record<string, (wrapped: Wrapped, common: Common) => Seen>> = {
  async generateText(wrapped, { tools, callbacks, ...common }) {
    const { onStepFinish, onFinish } = callbacks;
    return toldBy(
      await wrapped.generateText({ ...common, tools, stopWhen: ai.stepCountIs(5), onStepFinish, onFinish }),
    );
  },
  async streamText(wrapped, { tools, callbacks, ...common }) {
    const { told: _, ...on } = callbacks;
    const stopWhen = ai.stepCountIs(5);
    const result = wrapped.streamText({ ...common, tools, stopWhen, includeRawChunks: true, ...on });
    const [parts, pieces, messages] = await Promise.all([
      all(result.fullStream),
      all(result.textStream),
      all(result.toUIMessageStream({ sendReasoning: true, sendSources: true, onError: String })),
    ]);
    // What is split between two pieces is together in what they add up to.
    const joined = pieces.join("");
    const streamed = messages.map((message) => ("delta" in message ? message.delta : "")).join("");
    return { parts, joined, messages, streamed, steps: (await result.steps).map(toldBy), text: await result.text };
  },
  async "agent.generate"(wrapped, { tools, callbacks, system, prompt, model, maxRetries }) {
    const agent = new wrapped.ToolLoopAgent({ model, tools, instructions: system, maxRetries });
    return toldBy(await agent.generate({ prompt, onStepFinish: callbacks.onStepFinish }));
  },
  async "agent.stream"(wrapped, { tools, callbacks, system, prompt, model, maxRetries }) {
    const agent = new wrapped.ToolLoopAgent({ model, tools, instructions: system, maxRetries });
    const result = await agent.stream({ prompt, onStepFinish: callbacks.onStepFinish });
    const parts = await all(result.fullStream);
    return { parts, text: await result.text, response: await result.response };
  },
};

/** Each way to an answer that is an object, and all that the user is given. */
const objects: typeof entries = {
  async generateObject(wrapped, { tools: _, callbacks: __, ...common }) {
    return toldBy(await wrapped.generateObject({ ...common, schema }));
  },
  async streamObject(wrapped, { tools: _, callbacks, ...common }) {
    const result = wrapped.streamObject({ ...common, schema, onFinish: callbacks.onFinish });
    const parts = await all(result.fullStream);
    return { parts, whole: await result.object, request: await result.request };
  },
  async "generateText with Output.object"(wrapped, { tools: _, callbacks, ...common }) {
    const result = await wrapped.generateText({
      ...common,
      output: ai.Output.object({ schema }),
      onFinish: callbacks.onFinish,
    });
    return { ...toldBy(result), output: result.output };
  },
  async "streamText with Output.object"(wrapped, { tools: _, callbacks, ...common }) {
    const result = wrapped.streamText({
      ...common,
      output: ai.Output.object({ schema }),
      onFinish: callbacks.onFinish,
    });
    const [partial, pieces] = await Promise.all([all(result.partialOutputStream), all(result.textStream)]);
    return { partial, joined: pieces.join(""), output: await result.output };
  },
};

interface Common {
  readonly model: ReturnType<typeof modelOf>;
  readonly system: string;
  readonly prompt: string;
  readonly maxRetries: number;
  readonly tools: ReturnType<typeof tools>["tools"];
  readonly callbacks: ReturnType<typeof callbacks>;
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

async function swept(entry: (wrapped: Wrapped, common: Common) => Seen, script: typeof answers | typeof object) {
  server.reset();
  server.script(...script);
  const watch = watched();
  const { reached, tools: both } = tools();
  const on = callbacks();
  const common = { model: modelOf(server), system: `Be kind. ${text}`, prompt: `Hello. ${text}`, maxRetries: 0 };
  const seen = await entry(withPlugins(ai, watch.plugins), { ...common, tools: both, callbacks: on });
  const sent = server.requests.map(({ body }) => body);
  return { seen, told: on.told, reached, sent, ...(await watch.written()) };
}

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  it.each(Object.entries(entries))("around %s, with tools that run at the same time", async (_, entry) => {
    const { seen, told, reached, sent, spans, records } = await swept(entry, answers);
    expect(found(seen)).toEqual([]);
    expect(found(told)).toEqual([]);
    expect(found(reached)).toEqual([]);
    expect(found(sent)).toEqual([]);
    expect(found(spans)).toEqual([]);
    expect(found(records)).toEqual([]);
    expect(reached).toHaveLength(2);
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(seen)).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name).sort()).toEqual([
      "chat m",
      "chat m",
      "execute_tool fail",
      "execute_tool look",
      "invoke_agent",
    ]);
    expect(records.length).toBeGreaterThan(5);
  });

  it.each(Object.entries(objects))("around %s", async (_, entry) => {
    const { seen, told, sent, spans, records } = await swept(entry, object);
    expect(found(seen)).toEqual([]);
    expect(found(told)).toEqual([]);
    expect(found(sent)).toEqual([]);
    expect(found(spans)).toEqual([]);
    expect(found(records)).toEqual([]);
    expect(JSON.stringify(seen)).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name).sort()).toEqual(["chat m", "invoke_agent"]);
  });
});

it("without pii they are found, so that the search is one", async () => {
  server.reset();
  server.script(...answers);
  const { reached, tools: both } = tools();
  const on = callbacks();
  const common = { model: modelOf(server), system: "Be kind.", prompt: `Hello. ${text}`, maxRetries: 0 };
  const seen = await entries.streamText?.(ai, { ...common, tools: both, callbacks: on });
  const sent = server.requests.map(({ body }) => body);
  for (const told of [seen, on.told, reached, sent]) expect(found(told)).toHaveLength(10);
});
