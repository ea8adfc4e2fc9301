import type { MeterProvider, TracerProvider } from "@opentelemetry/api";
import {
  type CallNext,
  definePlugin,
  type Invocation,
  type Kind,
  type Notification,
  type RuntimeContext,
} from "@suite/core";
import { propagatorsKey } from "@suite/core/propagation";
import { any, type Check, callable } from "@suite/kit/options";
import { attributesOfRun, type RunAttributes } from "./attributes/of-run.js";
import { type ContentCapture, contentCapture } from "./content/capture.js";
import { propagator } from "./context/propagation.js";
import { endSpans } from "./context/record.js";
import { type PropagateTo, targetFilter } from "./context/targets.js";
import { type Dialect, wordingOf } from "./dialect.js";
import { checkOptions, TracingError } from "./errors.js";
import { eventsBy } from "./logs/events.js";
import type { EventLoggerProvider } from "./logs/logger.js";
import type { EventSignal } from "./logs/signal.js";
import { agentRecording } from "./metrics/agent.js";
import { embeddingRecording } from "./metrics/embedding.js";
import { withMetrics } from "./metrics/hook.js";
import { instrumentSource } from "./metrics/instruments.js";
import { measured } from "./metrics/measured.js";
import { modelRecording } from "./metrics/model.js";
import { operationRecording } from "./metrics/operation.js";
import { toolRecording } from "./metrics/tool.js";
import { observer } from "./observe.js";
import { agentSpan } from "./spans/agent.js";
import { type Price, usageBy } from "./spans/cost.js";
import { doublesWatch } from "./spans/doubled.js";
import { embeddingSpan } from "./spans/embedding.js";
import { spanned } from "./spans/hook.js";
import { mcpSpans } from "./spans/mcp.js";
import { memoryIdentity, memorySpan } from "./spans/memory.js";
import { inferenceException, modelSpan } from "./spans/model.js";
import { compressContextSpan, humanInputSpan } from "./spans/other.js";
import { planned, planning } from "./spans/plan.js";
import { retrievalIdentity, retrievalSpan } from "./spans/retrieval.js";
import { toolSpan } from "./spans/tool.js";
import type { Tracing } from "./spans/tracing.js";
import { tracerSource } from "./tracer.js";

/** The options of `tracing()`. All are optional. */
export interface TracingOptions {
  /**
   * The recording mode of prompts, answers, tool arguments and results. Default: the mode that
   * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` selects, otherwise `"none"`.
   */
  readonly content?: ContentCapture;
  /**
   * Maximum length of the JSON of one content attribute, in characters. Longer content loses its oldest part. Default
   * 65,536.
   */
  readonly contentLimit?: number;
  /**
   * Custom attributes for all spans of a run: tags, tenant, name and version of a prompt. A function is called once per
   * run. The attributes pass through the run's redactor. They are not added to metrics.
   */
  readonly attributes?: RunAttributes;
  /**
   * The prices of a million tokens, by model. The cost of each model call is recorded as `suite.usage.cost`.
   *
   * @example
   * ```ts
   * tracing({ prices: { "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 } } });
   * ```
   */
  readonly prices?: Readonly<Record<string, Price>>;
  /**
   * The names on spans, metrics and log records, for backends that do not read the released conventions. One or
   * several. Default `"released"`.
   */
  readonly dialect?: Dialect | readonly Dialect[];
  /** Spans for tool calls that ran elsewhere, made when their results arrive. */
  readonly compensation?: {
    /**
     * The maximum age at which a call that ran elsewhere joins the trace of the turn that requested it, in
     * milliseconds. Default one hour: tail samplers and backends close a trace earlier than people answer.
     */
    readonly maxAge?: number;
  };
  /**
   * Hosts that receive the trace: requests to them carry W3C Trace Context. `"api.example.com"` matches the host,
   * `"api.example.com:8443"` only that port, `"*.example.com"` every subdomain. MCP servers on this machine (stdio,
   * loopback) receive it by default, unless `OTEL_PROPAGATORS=none`. A function replaces all these rules. Default: no
   * other host.
   */
  readonly propagateTo?: PropagateTo;
  /**
   * True if targets that receive the trace also receive OpenTelemetry's baggage, redacted if a redactor exists. Default
   * false.
   */
  readonly baggage?: boolean;
  /** The tracer provider to use instead of the globally registered one. */
  readonly tracerProvider?: TracerProvider;
  /** The meter provider to use instead of the globally registered one. */
  readonly meterProvider?: MeterProvider;
  /**
   * The signal that events are recorded as: events of spans, log records in the context of those spans, or both. With
   * log records, each model call also has a `gen_ai.client.inference.operation.details`. Default: `"span"`; for
   * exceptions, the signal that `OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN` selects.
   */
  readonly events?: EventSignal;
  /** The logger provider to use instead of the one registered globally with `@opentelemetry/api-logs`. */
  readonly loggerProvider?: EventLoggerProvider;
  /** Receives each configuration warning once. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** All option names, to reject misspelt ones. Values are checked where they are used. */
const checks: { readonly [option in keyof Required<TracingOptions>]: Check } = {
  content: any,
  contentLimit: any,
  attributes: any,
  prices: any,
  dialect: any,
  compensation: any,
  propagateTo: any,
  baggage: any,
  tracerProvider: any,
  meterProvider: any,
  events: any,
  loggerProvider: any,
  warn: callable,
};

const HOUR = 60 * 60 * 1000;

/**
 * Records OpenTelemetry spans and metrics of agent runs, model calls and tool calls, by the GenAI conventions.
 *
 * Needs a registered tracer provider for spans and a meter provider for metrics, for example those of `setupTracing()`
 * from `@suite/tracing/node`. Without a provider the plugin does nothing and costs nothing.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const plugins = [tracing({ content: "redacted" }), pii()];
 * ```
 */
export function tracing(options: TracingOptions = {}): TracingPlugin {
  options = checkOptions("tracing", options, checks);
  const { content, contentLimit, compensation, warn = console.warn } = options;
  const wording = wordingOf(options.dialect);
  const { maxAge = HOUR } = compensation ?? {};
  if (!(maxAge >= 0)) {
    throw new TracingError(
      "ERR_TRACING_INVALID_OPTION",
      "tracing({ compensation: { maxAge } }): use milliseconds, 0 or more.",
    );
  }
  const captures = contentCapture(content, contentLimit, warn);
  const shared: Tracing = {
    tracer: tracerSource(options.tracerProvider),
    capture: captures.onSpans,
    ofRun: attributesOfRun(options.attributes),
    events: eventsBy(options.events, options.loggerProvider, captures, warn),
    proposals: wording.proposals,
  };
  const outgoing = propagator(shared.tracer, targetFilter(options.propagateTo), options.baggage === true);
  const meters = instrumentSource(options.meterProvider);
  const usageOf = usageBy(options.prices, wording.backendNames);
  const chat = modelSpan(usageOf, doublesWatch(warn), inferenceException(wording));
  const hooks: SpanHooks = {
    agent: withMetrics(spanned(agentSpan(wording), shared), measured(agentRecording(wording)), meters),
    model: planning((inside) => withMetrics(spanned(chat, shared, inside), measured(modelRecording), meters), shared),
    tool: planned(withMetrics(toolHook(shared), measured(toolRecording), meters), shared),
    humanInput: spanned(humanInputSpan, shared),
    compressContext: spanned(compressContextSpan, shared),
    embedding: withMetrics(spanned(embeddingSpan, shared), measured(embeddingRecording(wording)), meters),
    retrieval: withMetrics(
      spanned(retrievalSpan, shared),
      measured(operationRecording<"retrieval">(retrievalIdentity)),
      meters,
    ),
    memory: withMetrics(spanned(memorySpan, shared), measured(operationRecording<"memory">(memoryIdentity)), meters),
  };
  return definePlugin({
    name: "tracing",
    single: true,
    settings: settingsOf(options),
    whereOffered: [...(Object.keys(hooks) as (keyof SpanHooks)[]), "observe"],
    ...hooks,
    observe: observer(shared, maxAge, meters),
    begin(runtime) {
      if (shared.tracer() !== undefined) runtime.get(propagatorsKey).push(outgoing);
    },
    end(runtime) {
      if (shared.tracer() !== undefined) endSpans(runtime);
    },
  });
}

/** The hook of tool calls. MCP requests have another kind of span. */
function toolHook(shared: Tracing): Hook<"tool"> {
  const tool = spanned(toolSpan, shared);
  const mcp = { client: spanned(mcpSpans.client, shared), server: spanned(mcpSpans.server, shared) };
  return (invocation, callNext) => {
    if (shared.tracer() === undefined) return callNext();
    const side = invocation.request.mcp?.side;
    return (side === undefined ? tool : mcp[side])(invocation, callNext);
  };
}

/** Returns the options that may be logged: no provider, no price, no attribute. */
const settingsOf = ({
  content,
  propagateTo,
  baggage,
  events,
  dialect,
}: TracingOptions): Readonly<Record<string, unknown>> => ({
  content: typeof content === "function" ? "own" : (content ?? "default"),
  propagateTo: typeof propagateTo === "function" ? "own" : (propagateTo ?? []),
  baggage: baggage === true,
  events: events ?? "default",
  dialect: dialect ?? "released",
});

type Hook<K extends Kind> = (invocation: Invocation<K>, callNext: CallNext) => Promise<void>;

/**
 * The hooks that create spans: one for each kind of call except a round, whose model and tool calls have their spans.
 */
type SpanHooks = { readonly [K in Exclude<Kind, "reasoning">]: Hook<K> };

/** The plugin that `tracing()` returns. Every hook is optional for an adapter. */
export interface TracingPlugin extends SpanHooks {
  readonly name: "tracing";
  readonly single: true;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly whereOffered: readonly (keyof SpanHooks | "observe")[];
  observe(notification: Notification, runtime: RuntimeContext): void;
  begin(runtime: RuntimeContext): void;
  end(runtime: RuntimeContext): void;
}
