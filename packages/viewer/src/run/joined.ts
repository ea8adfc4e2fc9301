import { groupBy } from "./group-by.js";
import { MOST_MODELS, type Run, runOf } from "./run.js";
import type { Span } from "./span.js";

/** Returns the summary of a run from its spans, of one trace or of several. @param traceId the id of any of them. */
export function runOfSpans(traceId: string, spans: readonly Span[]): Run {
  const traces = groupBy(spans, (span) => span.traceId);
  return joinRuns([...traces].map(([id, traceSpans]) => runOf(id, traceSpans))) ?? runOf(traceId, []);
}

/** Joins the parts of a run, each of them a trace: it has the name of the first one and the end of the last one. */
export function joinRuns(parts: readonly Run[]): Run | undefined {
  const inTime = [...parts].sort((a, b) => a.start - b.start);
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (first === undefined || last === undefined || inTime.length === 1) return first;
  const sum = (of: (run: Run) => number): number => inTime.reduce((total, run) => total + of(run), 0);
  const found = <K extends keyof Run>(key: K): Partial<Pick<Run, K>> => {
    const run = inTime.find((each) => each[key] !== undefined);
    return run === undefined ? {} : ({ [key]: run[key] } as Partial<Pick<Run, K>>);
  };
  const known = (key: "inputTokens" | "outputTokens"): Partial<Run> => {
    const all = inTime.flatMap((run) => run[key] ?? []);
    return all.length === 0 ? {} : { [key]: all.reduce((total, each) => total + each, 0) };
  };
  const costs = inTime.flatMap(({ cost }) => cost ?? []);
  return {
    ...first,
    ...found("service"),
    ...found("sessionId"),
    ...found("userId"),
    traces: inTime.map(({ traceId }) => traceId),
    models: [...new Set(inTime.flatMap(({ models }) => models))].slice(0, MOST_MODELS),
    end: inTime.reduce((latest, { end }) => Math.max(latest, end), 0),
    spans: sum(({ spans }) => spans),
    errors: sum(({ errors }) => errors),
    ...known("inputTokens"),
    ...known("outputTokens"),
    ...(costs.length > 0 && { cost: costs.reduce((total, cost) => total + cost, 0) }),
    decisions: sum(({ decisions }) => decisions),
    state: last.state,
  };
}

/** Returns true if a trace is a run or a part of it. */
export const isOf = (run: Run, traceId: string | undefined): boolean =>
  run.traceId === traceId || (traceId !== undefined && run.traces?.includes(traceId) === true);
