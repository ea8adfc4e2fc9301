/** One labelled text. */
export interface Labelled {
  readonly text: string;
  /** Whether a guard should act on it. */
  readonly label: boolean;
}

/** A guard as it is measured: how sure it is that it should act on a text, from 0 to 1. */
export type Score = (text: string) => number | boolean | Promise<number | boolean>;

/** The counts of a guard at one threshold, and what follows from them. NaN where nothing can be said. */
interface AtThreshold {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  /** The share of the texts on which it acts that it should act on. */
  readonly precision: number;
  /** The share of the texts on which it should act that it does act on. */
  readonly recall: number;
}

/** The milliseconds of one text: the middle, the slowest of twenty, the slowest of all. */
interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** The figures of one guard. */
export interface Evaluation {
  readonly texts: number;
  readonly thresholds: readonly AtThreshold[];
  readonly latency: Latency;
}

/** Measures a guard on labelled texts, one after another, at each of some thresholds. */
export async function evaluate(
  score: Score,
  texts: readonly Labelled[],
  thresholds: readonly number[],
): Promise<Evaluation> {
  const scores: number[] = [];
  const times: number[] = [];
  for (const { text } of texts) {
    const began = performance.now();
    const given = await score(text);
    times.push(performance.now() - began);
    scores.push(Number(given));
  }
  times.sort((one, other) => one - other);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    texts: texts.length,
    thresholds: thresholds.map((threshold) => countsAt(threshold, scores, texts)),
    latency: { p50: at(0.5), p95: at(0.95), max: at(1) },
  };
}

function countsAt(threshold: number, scores: readonly number[], texts: readonly Labelled[]): AtThreshold {
  let [truePositives, falsePositives, falseNegatives, trueNegatives] = [0, 0, 0, 0];
  for (const [index, { label }] of texts.entries()) {
    const acts = (scores[index] ?? 0) >= threshold;
    if (acts && label) truePositives++;
    else if (acts) falsePositives++;
    else if (label) falseNegatives++;
    else trueNegatives++;
  }
  const precision = truePositives / (truePositives + falsePositives);
  const recall = truePositives / (truePositives + falseNegatives);
  return { threshold, truePositives, falsePositives, falseNegatives, trueNegatives, precision, recall };
}
