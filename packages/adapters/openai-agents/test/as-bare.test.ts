import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { type AnyInvocation, type CallNext, definePlugin, type Plugin } from "@suite/core";
import { withPlugins } from "../src/index.js";
import { called, said, scripted } from "./support.js";

const watching = definePlugin({ name: "watch", begin() {}, end() {}, observe() {} });
const layers = (layer: (invocation: AnyInvocation, callNext: CallNext) => Promise<void>): Plugin =>
  definePlugin({ name: "layers", agent: layer, reasoning: layer, model: layer, tool: layer, begin() {}, end() {} });
const idle = layers((_, callNext) => callNext());
const stage = layers(async (invocation, callNext) => {
  await callNext();
  invocation.pipe({ chunk: (chunk: never, emit: (chunk: never) => void) => emit(chunk) });
});
/** Plugins that change nothing. */
const lists: Readonly<Record<string, readonly Plugin[]>> = { watching: [watching], idle: [idle], stage: [stage] };

type Sdk = Pick<typeof agents, "run" | "tool">;
const soon = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const parameters = {
  type: "object" as const,
  properties: {},
  required: [],
  additionalProperties: false as const,
};

/** A model whose streams are these, one for each time that it is asked. */
function streaming(...streams: readonly ((request: agents.ModelRequest) => AsyncIterable<unknown>)[]) {
  const asked: agents.ModelRequest[] = [];
  const model = {
    getResponse: async (request: agents.ModelRequest) => {
      asked.push(request);
      return { usage: new agents.Usage(), output: [] };
    },
    getStreamedResponse(request: agents.ModelRequest) {
      asked.push(request);
      return streams[asked.length - 1]?.(request);
    },
  } as unknown as agents.Model;
  return { model, asked };
}

/** The end of a run that streams: its error, its output, its items. */
async function endOf(result: {
  readonly completed: Promise<void>;
  readonly cancelled: boolean;
  readonly finalOutput?: unknown;
  readonly newItems: readonly agents.RunItem[];
  readonly currentTurn: number;
}) {
  const error = await result.completed.then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  const { cancelled, finalOutput, newItems, currentTurn } = result;
  return { error, cancelled, finalOutput, items: newItems.map(({ type }) => type), currentTurn };
}

const retry = { maxRetries: 2, policy: () => true, backoff: { initialDelayMs: 0 } };

/** Situations of users of the SDK, each with all that they see of it. */
const situations: Readonly<Record<string, (sdk: Sdk) => Promise<unknown>>> = {
  async "a streamed run whose signal was aborted before"({ run }) {
    const { model } = scripted([said("Yes.")]);
    const result = await run(new agents.Agent({ name: "desk", model }), "Hi", {
      stream: true,
      signal: AbortSignal.abort(),
    });
    return endOf(result);
  },

  async "a run whose signal was aborted before"({ run }) {
    const { model, asked } = scripted([said("Yes.")]);
    const agent = new agents.Agent({ name: "desk", model });
    const told = await run(agent, "Hi", { signal: AbortSignal.abort() }).then(({ finalOutput }) => finalOutput, String);
    return { told, asked: asked.length };
  },

  async "an abort while the last tool runs"({ run, tool }) {
    const aborting = new AbortController();
    const last = tool({
      ...{ name: "look", description: "", parameters, strict: true },
      async execute() {
        aborting.abort();
        await soon();
        return "seven";
      },
    });
    const { model } = scripted([called("look")]);
    const agent = new agents.Agent({ name: "desk", model, tools: [last], toolUseBehavior: "stop_on_first_tool" });
    return endOf(await run(agent, "Hi", { stream: true, signal: aborting.signal }));
  },

  async "an abort while an output guardrail is at work"({ run }) {
    const aborting = new AbortController();
    const guardrail: agents.OutputGuardrail = {
      name: "slow",
      async execute() {
        aborting.abort();
        await soon();
        return { tripwireTriggered: false, outputInfo: {} };
      },
    };
    const { model } = scripted([said("Yes.")]);
    const agent = new agents.Agent({ name: "desk", model, outputGuardrails: [guardrail] });
    return endOf(await run(agent, "Hi", { stream: true, signal: aborting.signal }));
  },

  async "an abort while two tools run"({ run, tool }) {
    const aborting = new AbortController();
    const log: string[] = [];
    const slow = (name: string, ms: number) =>
      tool({
        ...{ name, description: "", parameters, strict: true },
        async execute() {
          await soon(ms);
          log.push(name);
          return name;
        },
      });
    setTimeout(() => aborting.abort(), 5);
    const { model, asked } = scripted([called("one"), called("two")]);
    const agent = new agents.Agent({ name: "desk", model, tools: [slow("one", 15), slow("two", 30)] });
    const error = await run(agent, "Hi", { signal: aborting.signal }).then(() => undefined, String);
    return { error, log, asked: asked.length };
  },

  async "spans of the user round a streamed run"({ run }) {
    const ends: string[] = [];
    const processor = {
      onTraceStart: async () => {},
      onTraceEnd: async () => void ends.push("trace"),
      onSpanStart: async () => {},
      onSpanEnd: async ({ spanData }: { spanData: { type: string } }) => void ends.push(spanData.type),
      shutdown: async () => {},
      forceFlush: async () => {},
    };
    agents.setTracingDisabled(false);
    agents.setTraceProcessors([processor as unknown as agents.TracingProcessor]);
    const { model } = scripted([said("Yes.")]);
    const begin = () => run(new agents.Agent({ name: "desk", model }), "Hi", { stream: true });
    const result = await agents.withTrace("mine", begin);
    await result.completed;
    await soon();
    agents.setTracingDisabled(true);
    return ends;
  },

  ...Object.fromEntries(
    [
      { type: "response_started" },
      { type: "model", event: { type: "response.created", response: { id: "r", output: [] } } },
      { type: "model", event: { type: "chunk", choices: [{ delta: { content: "Hel" } }] } },
      { type: "output_text_delta", delta: "Hel" },
    ].map((event) => [
      `a stream that breaks behind ${JSON.stringify(event)}`,
      async ({ run }: Sdk) => {
        const { model, asked } = streaming(
          ...Array.from(
            { length: 3 },
            () =>
              async function* () {
                yield event;
                throw new Error("The line is dead.");
              },
          ),
        );
        const agent = new agents.Agent({ name: "desk", model, modelSettings: { retry } });
        const { error } = await endOf(await run(agent, "Hi", { stream: true }));
        return { error, asked: asked.length };
      },
    ]),
  ),

  async "a stream that fails behind its answer"({ run }) {
    const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };
    const { model } = streaming(async function* () {
      yield { type: "response_done", response: { id: "r", usage, output: [said("Yes.")] } };
      throw new Error("The line is dead.");
    });
    const result = await run(new agents.Agent({ name: "desk", model }), "Hi", { stream: true });
    return { ...(await endOf(result)), tokens: result.state.usage.totalTokens };
  },

  async "an abort behind a call, where the provider keeps the history"({ run }) {
    const aborting = new AbortController();
    const call = { type: "function_call", id: "f", call_id: "call_1", name: "look", arguments: '{"of":"it"}' };
    const { model, asked } = streaming(async function* ({ signal }) {
      yield { type: "model", event: { type: "response.created", response: { id: "r", output: [] } } };
      yield { type: "model", event: { type: "response.output_item.done", output_index: 0, item: call } };
      aborting.abort();
      await soon();
      throw signal?.reason;
    });
    const options = { stream: true as const, signal: aborting.signal, conversationId: "conv" };
    const end = await endOf(await run(new agents.Agent({ name: "desk", model }), "Hi", options));
    return { ...end, asked: asked.map(({ input, previousResponseId }) => ({ input, previousResponseId })) };
  },

  async "a session that counts how often it is asked for its id"({ run }) {
    const session = new agents.MemorySession();
    const getSessionId = jest.spyOn(session, "getSessionId");
    const { model } = scripted([said("Yes.")]);
    const { finalOutput } = await run(new agents.Agent({ name: "desk", model }), "Hi", { session });
    return { finalOutput, asked: getSessionId.mock.calls.length };
  },
};

const env = process.env.OPENAI_API_KEY;
beforeAll(() => {
  delete process.env.OPENAI_API_KEY;
  jest.spyOn(console, "warn").mockImplementation(() => {});
});
afterAll(() => {
  if (env !== undefined) process.env.OPENAI_API_KEY = env;
});

describe.each(Object.entries(situations))("%s", (_, situation) => {
  it.each(Object.entries(lists))("is as bare with plugins that change nothing: %s", async (_name, plugins) => {
    const bare = await situation(agents);
    expect(bare).toBeDefined();
    expect(await situation(withPlugins(agents, [...plugins]))).toEqual(bare);
  });
});
