import { context, propagation, trace } from "@opentelemetry/api";
import {
  type IdGenerator,
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { AgentRequest, CallId, Delta, ModelRequest, Outcome, Plugin, Redactor, Reply, Tool } from "@suite/core";
import { type CallCore, PluginStack, type Run, type RunOptions } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { type TracingOptions, tracing } from "../src/index.js";

/** The real SDK, keeping what it would send. */
export function startSdk(
  options: { sampler?: Sampler; idGenerator?: IdGenerator; contextManager?: null } = {},
): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(options.sampler && { sampler: options.sampler }),
    ...(options.idGenerator && { idGenerator: options.idGenerator }),
  });
  provider.register(options.contextManager === null ? { contextManager: null } : {});
  return exporter;
}

/** Leaves nothing registered for the next test. */
export function stopSdk(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}

export const user = (content: string) => ({ role: "user", parts: [{ type: "text", content }] }) as const;
export const reply = (content: string): Reply => ({
  message: { role: "assistant", parts: [{ type: "text", content }] },
  finishReason: "stop",
  usage: { inputTokens: 3, outputTokens: 2 },
  response: { id: "resp-1", model: "gpt-5-2026" },
});

export const modelRequest = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "gpt-5",
  provider: "openai",
  server: { address: "api.openai.com" },
  messages: [user("hello")],
  tools: [],
  ...changes,
});

/** A streamed answer, word by word. */
export async function* words(...texts: string[]): AsyncGenerator<Delta, void> {
  for (const content of texts) yield { type: "part", at: "0", part: { type: "text", content } };
  yield {
    type: "finish",
    finishReason: "stop",
    usage: { inputTokens: 3, outputTokens: texts.length },
    response: { id: "resp-1", model: "gpt-5-2026" },
  };
}

export const tool = (name: string, execute?: Tool["execute"]): Tool => ({ name, ...(execute && { execute }) });

/** A stack with tracing in front of `plugins`, as an adapter would hold it. */
export class Harness {
  readonly stack: PluginStack;
  constructor(options: TracingOptions = {}, plugins: readonly Plugin[] = [], behind: readonly Plugin[] = []) {
    this.stack = new PluginStack([...behind, tracing(options), ...plugins]);
  }
  begin(options: RunOptions = {}): Run {
    return this.stack.begin({ agent: { name: "support" }, sessionId: "conversation-1", ...options });
  }
  agent(
    run: Run,
    body: (call: CallId) => AsyncIterable<Delta, Suspended | void>,
    request: AgentRequest = { messages: [user("hello")] },
    parent?: CallId,
  ): Promise<Outcome<Delta, Reply>> {
    const core: CallCore<"agent"> = async (agent) => agent.respond({ stream: body(agent.call) });
    return this.stack.call("agent", run, request, core, parent);
  }
  chat(
    run: Run,
    stream: (request: ModelRequest) => AsyncIterable<Delta>,
    parent?: CallId,
    changes: Partial<ModelRequest> = {},
  ): Promise<Outcome<Delta, Reply>> {
    const core: CallCore<"model"> = async (model) => model.respond({ stream: stream(model.request) });
    return this.stack.call("model", run, modelRequest({ stream: true, ...changes }), core, parent);
  }
  /** One tool call; one that runs elsewhere is suspended. */
  tool(run: Run, called: Tool, input: unknown, parent?: CallId, id = "call-1"): Promise<Outcome<unknown, unknown>> {
    const core: CallCore<"tool"> = async (invocation) => {
      const { request, runtime, call } = invocation;
      if (request.tool.execute !== undefined) {
        return invocation.respond({ value: await request.tool.execute(request.input, runtime, call) });
      }
      const part = { type: "tool_call", id: request.id, name: request.tool.name, arguments: request.input } as const;
      invocation.respond({ suspended: [{ reason: "external", part }] });
    };
    return this.stack.call("tool", run, { id, tool: called, input }, core, parent);
  }
}

/** A turn: one round with a model call, and tools beside each other. */
export const turn = (harness: Harness, run: Run, names: readonly string[]) =>
  harness.agent(run, async function* (call: CallId) {
    yield* await harness.chat(run, () => words("let ", "me ", "look"), call);
    const calls = names.map(async (name, index) => {
      const outcome = await harness.tool(
        run,
        tool(name, async () => ({ name })),
        { index },
        call,
        `call-${index}`,
      );
      return outcome.final();
    });
    await Promise.all(calls);
    yield* await harness.chat(run, () => words("done"), call);
  });

/** Marks every address of the test as such. */
export const redactor: Redactor = {
  redact: (text) => text.replaceAll(/[a-z]+@example\.com/g, "[EMAIL]"),
  value: (value) => redactValue(value),
};
const redactValue = (value: unknown): unknown => {
  if (typeof value === "string") return redactor.redact(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactor.redact(key), redactValue(item)]));
};

/** Spans as `name < parent's name`, in the order in which they ended. */
export function outline(spans: readonly ReadableSpan[]): string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans.map(({ name, parentSpanContext: parent }) =>
    parent === undefined ? name : `${name} < ${names.get(parent.spanId) ?? "elsewhere"}`,
  );
}

/** A duration of the SDK in milliseconds. */
export const hrTimeToMs = ([seconds, nanoseconds]: readonly [number, number]): number =>
  seconds * 1000 + nanoseconds / 1e6;

export function spanNamed(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1)
    throw new Error(`${found.length} spans are named ${name}; there are ${outline(spans).join(", ")}`);
  return found[0] as ReadableSpan;
}
