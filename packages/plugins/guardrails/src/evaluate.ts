/** A labelled string. */
export interface Labelled {
  readonly text: string;
  /** True if a guard should act on it. */
  readonly label: boolean;
}

/** The score of a guard for a string, from 0 to 1: how certain it is that it should act. */
export type Score = (text: string) => number | boolean | Promise<number | boolean>;

/** The counts of a guard at one threshold, and the derived figures. NaN if undefined. */
interface AtThreshold {
  readonly threshold: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  /** The share of correct actions among all actions. */
  readonly precision: number;
  /** The share of strings acted on among those it should act on. */
  readonly recall: number;
}

/** Milliseconds per string: median, 95th percentile and maximum. */
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

/** Evaluates a guard on labelled strings, one after another, at each threshold. */
export async function evaluate(
  score: Score,
  texts: readonly Labelled[],
  thresholds: readonly number[],
): Promise<Evaluation> {
  const scores: number[] = [];
  const times: number[] = [];
  for (const { text } of texts) {
    const began = performance.now();
    const scored = await score(text);
    times.push(performance.now() - began);
    scores.push(Number(scored));
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
