/**
 * Realistic input of agents: files of this repository and its dependencies, and fixtures in the form of tool output.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Random, seeded } from "./random.js";

const root = join(import.meta.dirname, "../../..");

const read = (...paths: readonly string[]): string =>
  paths.map((path) => readFileSync(join(root, path), "utf8")).join("\n");

const within = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && !path.includes("node_modules"))
    .sort()
    .map((path) => join(folder, path));

/** The licence, and of guides the paragraphs that are neither code, nor table, nor list. */
const prose = (guides: string): string =>
  `${read("LICENSE")}\n${guides.replaceAll(/^```.*?^```|^[|#*-].*$/gms, "")}`.replaceAll(/\n{3,}/g, "\n\n");

const LONGEST = 200_000;

/** Lines until they are long enough. */
function lines(line: (index: number, random: Random) => string): string {
  const random = seeded(7);
  let text = "";
  for (let index = 0; text.length < LONGEST; index++) text += `${line(index, random)}\n`;
  return text;
}

const decimal = (random: Random, digits: number): string => (random(1_000_000) / 10 ** digits - 100).toFixed(digits);

const two = (value: number): string => String(value).padStart(2, "0");

/** Measurements with times, as CSV. */
const csv = (): string =>
  lines((index, random) => {
    const time = `2024-${two(1 + random(12))}-${two(1 + random(28))}T${two(random(24))}:${two(random(60))}:00Z`;
    return `${index},${time},${decimal(random, 3)},${decimal(random, 4)},${random(1_000_000)}`;
  });

/** Columns of numbers, as programs for statistics print them. */
const columns = (): string =>
  lines((_, random) =>
    [decimal(random, 2), decimal(random, 3), String(random(100_000)), String(random(10_000))]
      .map((number) => number.padStart(10))
      .join(""),
  );

/** Paths, as drawing programs write them. */
const svg = (): string =>
  lines((_, random) => {
    const points = Array.from({ length: 12 }, () => {
      const [x, y] = [decimal(random, 2), decimal(random, 3)];
      return `${"MLCc"[random(4)]}${x},${y} ${decimal(random, 2)}-${random(90)}.${random(90)}`;
    });
    return `<path fill="#${random(0xffffff).toString(16)}" d="${points.join("")}z" transform="translate(${random(90)} 4.5)"/>`;
  });

const hex = (random: Random, length: number): string => Array.from({ length }, () => random(16).toString(16)).join("");

/** Spans, as OTLP has them in JSON. */
const otlp = (): string =>
  lines((index, random) => {
    const nanoseconds = 1_700_000_000_000 + index;
    const attributes = [
      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
      { key: "gen_ai.response.model", value: { stringValue: "gpt-4.1-mini-2025-04-14" } },
      { key: "gen_ai.usage.input_tokens", value: { intValue: String(random(9000)) } },
      { key: "server.port", value: { intValue: "443" } },
    ];
    return JSON.stringify({
      traceId: hex(random, 32),
      spanId: hex(random, 16),
      parentSpanId: hex(random, 16),
      name: "chat gpt-4.1-mini",
      kind: 3,
      startTimeUnixNano: `${nanoseconds}${100_000 + random(900_000)}`,
      endTimeUnixNano: `${nanoseconds + random(5000)}${100_000 + random(900_000)}`,
      attributes,
      status: {},
    });
  });

/** A Collector's log. */
const log = (): string =>
  lines((index, random) => {
    const time = `2025-03-${two(1 + random(28))}T${two(random(24))}:${two(random(60))}:${two(random(60))}.${100 + random(900)}Z`;
    const resource = `{"service.instance.id": "${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}", "service.name": "otelcol", "service.version": "0.126.0"}`;
    return index % 3 === 0
      ? `${time}\tinfo\tTraces\t{"resource": ${resource}, "otelcol.component.id": "debug", "resource spans": ${random(9)}, "spans": ${random(900)}}`
      : `${time}\tinfo\tservice@v0.126.0/service.go:${random(400)}\tEverything is ready. Begin running and processing data.\t{"resource": ${resource}}`;
  });

export type Genre =
  | "prose"
  | "documentation"
  | "changelog"
  | "code"
  | "log"
  | "OTLP"
  | "lock file"
  | "SVG"
  | "CSV"
  | "columns";

/**
 * The aim for each kind of input, stricter for input that is faster to search: prose and documentation, then
 * documentation with code, then numbers.
 */
export const genres: Readonly<Record<Genre, number>> = {
  prose: 2.5,
  documentation: 2.5,
  changelog: 1.5,
  code: 1.5,
  log: 1.5,
  OTLP: 1,
  "lock file": 1,
  SVG: 1,
  CSV: 1,
  columns: 1,
};

export function realTexts(): Readonly<Record<Genre, string>> {
  const guides = read(...within("docs", ".md"), ...within("packages", "README.md"));
  return {
    prose: prose(guides),
    documentation: guides,
    changelog: read(...["ai", "langchain", "@anthropic-ai/sdk"].map((name) => `node_modules/${name}/CHANGELOG.md`)),
    code: read(...within("packages/core/src", ".ts"), ...within("packages/plugins", ".ts")),
    log: log(),
    OTLP: otlp(),
    "lock file": read("package-lock.json"),
    SVG: svg(),
    CSV: csv(),
    columns: columns(),
  };
}

/** Returns pieces of equal length from all parts of a string. A string that is too short is repeated. */
export function pieces(text: string, length: number, count: number): readonly string[] {
  const long = text.length < length ? text.repeat(Math.ceil(length / text.length)) : text;
  const step = count === 1 ? 0 : Math.floor((long.length - length) / (count - 1));
  return Array.from({ length: count }, (_, index) => long.slice(index * step, index * step + length));
}
