import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { definePlugin, type ModelRequest, message, type Plugin, type Reply, type Tool } from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import { tracing } from "@suite/tracing";
import { atMost, defineGroup } from "./group.js";
import type { Case } from "./measure.js";
import { byHand, type SpansByHand } from "./tracing-by-hand.js";

const request: ModelRequest = {
  messages: [message("user", "Where is my order 1001?")],
  tools: [],
  model: "gpt-5",
  provider: "openai",
  server: { address: "api.openai.com" },
};
const reply: Reply = {
  message: message("assistant", "It is on its way."),
  finishReason: "stop",
  usage: { inputTokens: 12, outputTokens: 6 },
  response: { id: "resp_1", model: "gpt-5-2026-08-07" },
};
const tool: Tool = { name: "find_order", description: "Status of an order.", execute: () => "shipped" };

/** A different layer on each hook, so that the pipeline exists with and without tracing. */
const other = definePlugin({
  name: "other",
  agent: async (_, callNext) => callNext(),
  model: async (_, callNext) => callNext(),
  tool: async (_, callNext) => callNext(),
});

/** A run of an agent as a framework makes it: a model call, a tool call, a model call. */
function pipeline(plugins: readonly Plugin[], spans: SpansByHand): Case {
  const stack = new PluginStack(plugins);
  const chat = (run: Run) => spans.chat(run, request, async () => reply);
  const find = (run: Run) => spans.tool(run, "call_1", tool, async () => "shipped");
  return async () => {
    const run = stack.begin({ agent: { name: "bench" }, sessionId: "conversation-1" });
    const outcome = await stack.call("agent", run, { messages: request.messages }, async (agent) => {
      const value = await spans.agent(run, async () => {
        const callModel = async (): Promise<Reply> => {
          const answer = await stack.call(
            "model",
            run,
            request,
            async (model) => model.respond({ value: await chat(run) }),
            agent.call,
          );
          return answer.final();
        };
        await callModel();
        const result = await stack.call(
          "tool",
          run,
          { id: "call_1", tool, input: { order: "1001" } },
          async (call) => call.respond({ value: await find(run) }),
          agent.call,
        );
        await result.final();
        return callModel();
      });
      agent.respond({ value });
    });
    await outcome.final();
    await run.end();
  };
}

const noSpans: SpansByHand = {
  agent: (_, work) => work(),
  chat: (_run, _request, work) => work(),
  tool: (_run, _id, _tool, work) => work(),
};

/** A span processor that drops all spans: only the creation of spans is measured. */
const nowhere: SpanProcessor = {
  onStart() {},
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

/** The records that one run leaves. */
async function recordsOf(make: (provider: NodeTracerProvider) => Case): Promise<unknown> {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  await make(provider)();
  await provider.forceFlush();
  return exporter.getFinishedSpans().map(({ name, kind, attributes }: ReadableSpan) => ({
    name,
    kind,
    attributes: Object.fromEntries(
      Object.entries(attributes)
        .filter(([key]) => key !== "suite.run.id")
        .sort(),
    ),
  }));
}

const withTracing = (provider: NodeTracerProvider): Case =>
  pipeline([tracing({ tracerProvider: provider }), other], noSpans);
const withHands = (provider: NodeTracerProvider): Case => pipeline([other], byHand(provider.getTracer("by hand")));

export const tracingSpans = defineGroup({
  name: "tracing/spans",
  about:
    "A run of an agent that calls a model, a tool and the model again, through a pipeline with one other plugin; nothing of " +
    "it takes time. Four spans. By hand: the same spans with the same attributes (it is checked that they are), written " +
    "with OpenTelemetry's API into the functions themselves. The SDK is the real one; its processor drops what it gets.",
  unit: "run",
  async open() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const [ours, theirs] = [JSON.stringify(await recordsOf(withTracing)), JSON.stringify(await recordsOf(withHands))];
    if (ours !== theirs) throw new Error(`Not the same spans.\n${ours}\n${theirs}`);
    const provider = new NodeTracerProvider({ spanProcessors: [nowhere] });
    return {
      cases: {
        "no tracing": pipeline([other], noSpans),
        "tracing without provider": pipeline([tracing(), other], noSpans),
        "spans by hand": withHands(provider),
        "tracing()": withTracing(provider),
      },
      async close() {
        context.disable();
        await provider.shutdown();
      },
    };
  },
  figures: [
    {
      name: "tracing() / spans by hand",
      ratio: (time) => time["tracing()"] / time["spans by hand"],
      aim: atMost(1.25),
    },
    {
      name: "tracing without provider / no tracing",
      ratio: (time) => time["tracing without provider"] / time["no tracing"],
      aim: atMost(1.05),
    },
  ],
});
