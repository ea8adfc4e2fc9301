import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { type Evaluation, evaluate, type Labelled, type Score } from "../evaluate.js";
import { detectInjection } from "../injection/detect.js";
import { UsageError } from "./usage-error.js";

/** The built-in guards by name. Both use the same detection, for user messages and tool results. */
const builtIn: Readonly<Record<string, Score>> = {
  promptInjection: (text) => detectInjection(text).score,
  toolResults: (text) => detectInjection(text).score,
};

const sweep = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** Label values that count as true. */
const positive: ReadonlySet<unknown> = new Set([
  true,
  1,
  "1",
  "true",
  "yes",
  "unsafe",
  "injection",
  "malicious",
  "attack",
  "jailbreak",
  "flagged",
]);
const negative: ReadonlySet<unknown> = new Set([
  false,
  0,
  "0",
  "false",
  "no",
  "safe",
  "benign",
  "legit",
  "legitimate",
  "ok",
]);

/** The options of the evaluation. */
export interface EvalOptions {
  readonly files: readonly string[];
  readonly guards: readonly string[];
  /** One threshold in place of the sweep. */
  readonly threshold: string | undefined;
  readonly json: boolean;
}

/** Evaluates guards on the labelled lines of files. Returns the report. */
export async function evalCommand({ files, guards, threshold, json }: EvalOptions): Promise<string> {
  const thresholds = threshold === undefined ? sweep : [Number(threshold)];
  if (!thresholds.every((each) => each > 0 && each <= 1))
    throw new UsageError("--threshold must be a number greater than 0, at most 1.");
  if (files.length === 0 || guards.length === 0)
    throw new UsageError("eval requires a FILE of JSON lines and --guard.");
  const scores = await Promise.all(guards.map(async (name) => [name, await scoreOf(name)] as const));
  const texts: Labelled[] = [];
  for (const file of files) await readLabelled(file, texts);
  const evaluations: Record<string, Evaluation> = {};
  for (const [name, score] of scores) evaluations[name] = await evaluate(score, texts, thresholds);
  return json ? JSON.stringify(evaluations, undefined, 2) : Object.entries(evaluations).map(figuresOf).join("\n\n");
}

/**
 * Returns a guard by its name, or the default export of a module: a function that returns a score or a boolean for a
 * string.
 */
async function scoreOf(name: string): Promise<Score> {
  if (Object.hasOwn(builtIn, name)) return builtIn[name] as Score;
  if (!/[./\\]/.test(name)) {
    throw new UsageError(`Unknown guard "${name}". Use ${Object.keys(builtIn).join(" or ")}, or the path of a module.`);
  }
  const module = (await import(pathToFileURL(resolve(name)).href)) as { readonly default?: unknown };
  if (typeof module.default !== "function")
    throw new UsageError(`The module ${name} must have a function as its default export.`);
  return module.default as Score;
}

/** Reads the lines of a file: `{"text": "…", "label": true}` each. */
async function readLabelled(file: string, into: Labelled[]): Promise<void> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(file, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++;
    if (line.trim() === "") continue;
    const { text, label } = parsed(line) ?? {};
    const word = typeof label === "string" ? label.toLowerCase() : label;
    const known = positive.has(word) || negative.has(word);
    if (typeof text !== "string" || !known) {
      throw new UsageError(`${file}:${number}: a line is {"text": "…", "label": true or false}.`);
    }
    into.push({ text, label: positive.has(word) });
  }
}

function parsed(line: string): { readonly text?: unknown; readonly label?: unknown } | undefined {
  try {
    return JSON.parse(line) as { readonly text?: unknown; readonly label?: unknown };
  } catch {
    return undefined;
  }
}

/** The figures of one guard as lines of text. */
function figuresOf([name, { texts, thresholds, latency }]: readonly [string, Evaluation]): string {
  const share = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(3)).padStart(9);
  const count = (value: number): string => `${value}`.padStart(6);
  const [first] = thresholds;
  const positives = first === undefined ? 0 : first.truePositives + first.falseNegatives;
  const rows = thresholds.map(
    (at) =>
      `${at.threshold.toFixed(2).padStart(9)}${share(at.precision)}${share(at.recall)}${count(at.truePositives)}${count(at.falsePositives)}${count(at.falseNegatives)}${count(at.trueNegatives)}`,
  );
  const time = (value: number): string => `${value.toFixed(3)} ms`;
  return [
    `${name}: ${texts} texts, ${positives} of them to act on`,
    `threshold precision   recall    tp    fp    fn    tn`,
    ...rows,
    `latency of a text: p50 ${time(latency.p50)}, p95 ${time(latency.p95)}, max ${time(latency.max)}`,
  ].join("\n");
}
