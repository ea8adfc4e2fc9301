import { groupBy } from "./group-by.js";
import { firstChunkOf } from "./metrics.js";
import { isModelCall, type Run } from "./run.js";
import type { Span } from "./span.js";

/** The spans of one name in two runs: their number, and their total duration in milliseconds. */
export interface ComparedStep {
  readonly name: string;
  readonly counts: readonly [number, number];
  readonly took: readonly [number, number];
}

/** Groups the spans of two runs by name, in order of first appearance. */
export function compareSteps(a: readonly Span[], b: readonly Span[]): readonly ComparedStep[] {
  const [ofA, ofB] = [byName(a), byName(b)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].map((name) => {
    const [stepsOfA, stepsOfB] = [ofA.get(name) ?? [], ofB.get(name) ?? []];
    return { name, counts: [stepsOfA.length, stepsOfB.length], took: [timeOf(stepsOfA), timeOf(stepsOfB)] };
  });
}

/** The compared figures of a run. A missing figure is undefined. */
export interface ComparedFigures {
  readonly took: number;
  readonly firstChunk: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly cost: number | undefined;
  readonly modelCalls: number;
  readonly spans: number;
  readonly errors: number;
  readonly decisions: number;
}

/** Returns the compared figures of a run. */
export function figuresOf(run: Run, spans: readonly Span[]): ComparedFigures {
  const models = spans.filter(isModelCall).sort((a, b) => a.start - b.start);
  return {
    took: run.end - run.start,
    firstChunk: models.map(firstChunkOf).find((each) => each !== undefined),
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    cost: run.cost,
    modelCalls: models.length,
    spans: run.spans,
    errors: run.errors,
    decisions: run.decisions,
  };
}

const byName = (spans: readonly Span[]): ReadonlyMap<string, readonly Span[]> =>
  groupBy(
    [...spans].sort((a, b) => a.start - b.start || b.end - a.end),
    ({ name }) => name,
  );

const timeOf = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);
