import { decisionsOf } from "./decision.js";
import { numberAt, operationOf, type Span, textAt } from "./span.js";

/** The summary of a run: a trace in which an agent was at work, or several that are parts of one run. */
export interface Run {
  /** The trace in which it began. */
  readonly traceId: string;
  /** All its traces, in the order of time, where there are several: it waited in between, and went on elsewhere. */
  readonly traces?: readonly string[];
  /** The agent, the workflow, or the name of the first span, where neither is told yet. */
  readonly name: string;
  readonly service?: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly models: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly spans: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost of its model calls, in the currency of the prices that were given; absent where none were. */
  readonly cost?: number;
  /** Decisions of guards and limits that its spans have as events. */
  readonly decisions: number;
  /** `open`: the span that is its root has not come yet. */
  readonly state: "open" | "ended" | "suspended" | "failed";
}

/** The longest name or id of a summary: a list has hundreds of them. */
const LONGEST = 512;
/** The most models that one summary names. */
export const MOST_MODELS = 50;

const agentOperations: ReadonlySet<string> = new Set(["invoke_agent", "invoke_workflow", "create_agent"]);

/** The summary of these spans of one trace. */
export function runOf(traceId: string, spans: readonly Span[]): Run {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const inTime = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const isRoot = ({ parentSpanId }: Span): boolean => parentSpanId === undefined || !known.has(parentSpanId);
  const root = inTime.find((span) => span.parentSpanId === undefined) ?? inTime.find(isRoot);
  const agent = inTime.find((span) => agentOperations.has(operationOf(span) ?? "")) ?? root;
  const attributes = agent?.attributes ?? {};
  const models = new Set(spans.flatMap((span) => (isModelCall(span) ? (modelOf(span)?.slice(0, LONGEST) ?? []) : [])));
  const service = inTime.map(({ resource }) => textAt(resource, "service.name")).find((each) => each !== undefined);
  const name = textAt(attributes, "gen_ai.agent.name") ?? textAt(attributes, "gen_ai.workflow.name") ?? agent?.name;
  const sessionId = first(inTime, "gen_ai.conversation.id") ?? first(inTime, "session.id");
  const userId = first(inTime, "user.id") ?? first(inTime, "enduser.id");
  const open =
    !spans.some(({ parentSpanId }) => parentSpanId === undefined) &&
    spans.every(({ parentSpanId }) => !known.has(parentSpanId ?? ""));
  const costs = spans.flatMap((span) => (isModelCall(span) ? costOf(span) : []));
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
    inputTokens: tokens(spans, "gen_ai.usage.input_tokens"),
    outputTokens: tokens(spans, "gen_ai.usage.output_tokens"),
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

const first = (spans: readonly Span[], key: string): string | undefined =>
  spans
    .map(({ attributes }) => textAt(attributes, key))
    .find((each) => each !== undefined)
    ?.slice(0, LONGEST);

/** The operations that ask a model, by the conventions' names. */
const modelOperations: ReadonlySet<string> = new Set(["chat", "text_completion", "generate_content", "embeddings"]);

/** Whether a span is a call of a model. Its tokens are counted, and those of an agent are not: they are the same ones. */
export const isModelCall = (span: Span): boolean => modelOperations.has(operationOf(span) ?? "");

/** The model that answered, or that was asked. */
const modelOf = ({ attributes }: Span): string | undefined =>
  textAt(attributes, "gen_ai.response.model") ?? textAt(attributes, "gen_ai.request.model");

const tokens = (spans: readonly Span[], key: string): number =>
  spans.reduce((sum, span) => sum + (isModelCall(span) ? numberAt(span.attributes, key) : 0), 0);

/** The cost of a model call, under our name or the one that others read; empty where it has none. */
const costOf = ({ attributes }: Span): readonly number[] =>
  ["suite.usage.cost", "gen_ai.usage.cost"]
    .filter((key) => Object.hasOwn(attributes, key))
    .slice(0, 1)
    .map((key) => numberAt(attributes, key));
