import { countsIn } from "./decision.js";
import { isModelCall, type Run } from "./run.js";
import { numberAt, type Span, textAt } from "./span.js";

/** The figures of a run that are plotted. */
export interface RunMetrics {
  readonly start: number;
  /** Milliseconds; undefined while the run is active. */
  readonly duration: number | undefined;
  /** Milliseconds to the first chunk of each model call that streamed. */
  readonly firstChunks: readonly number[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly errors: number;
  /** The number of findings of personal data by type. */
  readonly findings: ReadonlyMap<string, number>;
}

/** Returns the figures of a run. */
export function metricsOf(run: Run, spans: readonly Span[]): RunMetrics {
  const { start, end, state, inputTokens = 0, outputTokens = 0, cost = 0, errors } = run;
  const models = spans.filter(isModelCall);
  return {
    start,
    duration: state === "open" ? undefined : end - start,
    firstChunks: models.flatMap((span) => firstChunkOf(span) ?? []),
    inputTokens,
    outputTokens,
    cost,
    errors,
    findings: findingsOf(spans),
  };
}

/** Returns the milliseconds to the first chunk of an answer. The attribute of the conventions is in seconds. */
export function firstChunkOf({ attributes }: Span): number | undefined {
  const seconds = numberAt(attributes, "gen_ai.response.time_to_first_chunk");
  return seconds > 0 ? seconds * 1000 : undefined;
}

function findingsOf(spans: readonly Span[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { events } of spans) {
    for (const { attributes } of events) {
      for (const [type, times] of countsIn(textAt(attributes, "suite.guardrail.findings")))
        found.set(type, (found.get(type) ?? 0) + times);
    }
  }
  return found;
}
