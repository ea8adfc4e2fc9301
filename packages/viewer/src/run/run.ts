import { costOf, factOf, operationOf, tokensOf } from "./aliases.js";
import { decisionsOf } from "./decision.js";
import { type Span, textAt } from "./span.js";

/** The summary of a run: one trace of an agent, or several that are parts of one run. */
export interface Run {
  /** The trace of its beginning. */
  readonly traceId: string;
  /** All its traces in order of time, if there are several: the run waited in between, and continued elsewhere. */
  readonly traces?: readonly string[];
  /** The agent, the workflow, or the name of the first span until one of them is known. */
  readonly name: string;
  readonly service?: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly models: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly spans: number;
  readonly errors: number;
  /** The tokens of its model calls; absent if no sender reported them. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The cost of its model calls, in the currency of the configured prices; absent without prices. */
  readonly cost?: number;
  /** The number of decisions of guards and limits among the events of its spans. */
  readonly decisions: number;
  /** `open`: its root span has not arrived yet. */
  readonly state: "open" | "ended" | "suspended" | "failed";
}

/** The longest name or id in a summary, since a list has hundreds of summaries. */
const LONGEST = 512;
/** The most models that one summary names. */
export const MOST_MODELS = 50;

const agentOperations: ReadonlySet<string> = new Set(["invoke_agent", "invoke_workflow", "create_agent"]);

/** Returns the summary of the spans of one trace. */
export function runOf(traceId: string, spans: readonly Span[]): Run {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const inTime = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const isRoot = ({ parentSpanId }: Span): boolean => parentSpanId === undefined || !known.has(parentSpanId);
  const root = inTime.find((span) => span.parentSpanId === undefined) ?? inTime.find(isRoot);
  const agent = inTime.find((span) => agentOperations.has(operationOf(span) ?? "")) ?? root;
  const calls = modelCallsIn(spans);
  const models = new Set(calls.flatMap((span) => factOf("model", span)?.slice(0, LONGEST) ?? []));
  const service = inTime.map(({ resource }) => textAt(resource, "service.name")).find((each) => each !== undefined);
  const name = agent && (factOf("agent", agent) ?? agent.name);
  const sessionId = first(inTime, "session");
  const userId = first(inTime, "user");
  const open =
    !spans.some(({ parentSpanId }) => parentSpanId === undefined) &&
    spans.every(({ parentSpanId }) => !known.has(parentSpanId ?? ""));
  const costs = calls.flatMap((span) => costOf(span) ?? []);
  const inputTokens = sumOf(calls.map((span) => tokensOf(span).input));
  const outputTokens = sumOf(calls.map((span) => tokensOf(span).output));
  return {
    traceId,
    name: name?.slice(0, LONGEST) ?? "",
    ...(service !== undefined && { service: service.slice(0, LONGEST) }),
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
    models: [...models].slice(0, MOST_MODELS),
    start: inTime[0]?.start ?? 0,
    end: spans.reduce((latest, { end }) => Math.max(latest, end), 0),
    spans: spans.length,
    errors: spans.reduce((count, { status }) => count + (status === "error" ? 1 : 0), 0),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    decisions: spans.reduce((count, span) => count + decisionsOf(span).length, 0),
    state: open ? "open" : stateOf(agent),
  };
}

function stateOf(agent: Span | undefined): Run["state"] {
  if (agent === undefined) return "open";
  if (agent.status === "error") return "failed";
  return textAt(agent.attributes, "suite.status") === "suspended" ||
    agent.events.some(({ name }) => name.endsWith("suspended"))
    ? "suspended"
    : "ended";
}

const first = (spans: readonly Span[], fact: "session" | "user"): string | undefined =>
  spans
    .map((span) => factOf(fact, span))
    .find((each) => each !== undefined)
    ?.slice(0, LONGEST);

/** The operations that call a model, as the conventions name them. */
const modelOperations: ReadonlySet<string> = new Set(["chat", "text_completion", "generate_content", "embeddings"]);

/** Returns true if a span is a model call. Only its tokens are counted: those of an agent's span are the same ones. */
export const isModelCall = (span: Span): boolean => modelOperations.has(operationOf(span) ?? "");

/**
 * Returns the model calls among spans. One directly below another is the same call, reported by two instrumentations.
 */
function modelCallsIn(spans: readonly Span[]): readonly Span[] {
  const calls = new Set(spans.filter(isModelCall).map(({ spanId }) => spanId));
  return spans.filter(({ spanId, parentSpanId = "" }) => calls.has(spanId) && !calls.has(parentSpanId));
}

/** Returns the sum of the known values. Returns `undefined` if all are unknown. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
