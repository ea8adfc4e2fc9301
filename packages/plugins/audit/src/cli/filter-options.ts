import { createInterface } from "node:readline";
import { type RecordFilter, timeOf } from "../query/filter.js";
import { hashedValue } from "../record/hashed.js";
import { readValueKey } from "../record/value-key.js";
import { type Parsed, UsageError } from "./usage.js";

/** The options of `query` and `export` that select records. */
export const filterOptions = [
  "since",
  "until",
  "run",
  "actor",
  "type",
  "operation",
  "decision",
  "value",
  "value-key",
] as const;

export async function filterOf({ last, all }: Parsed): Promise<RecordFilter> {
  const values = await hashedValues(last("value"), all("value-key"));
  const times = { since: time("since", last("since")), until: time("until", last("until")) };
  const texts = ["run", "actor", "type", "operation", "decision"].map((name) => [name, last(name)] as const);
  const entries = [...Object.entries(times), ...texts, ["values", values] as const];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const SPAN_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const span = /^(\d{1,6})([mhd])$/;
const iso = /^\d{4}-\d{2}-\d{2}(T[\d:.]{2,16}(Z|[+-]\d{2}:\d{2})?)?$/;

/** Parses a time: `2026-01-31`, `2026-01-31T08:00Z` (UTC without a zone), or an age such as `30m`, `24h`, `7d`. */
function time(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = span.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * SPAN_MS[unit as keyof typeof SPAN_MS];
  const [date, clock, zone] = iso.exec(text) ?? [];
  const found = timeOf(clock !== undefined && zone === undefined ? `${date}Z` : date);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} takes a time (2026-01-31, 2026-01-31T08:00Z) or an age (30m, 24h, 7d).`);
}

/** Returns the hashes that records contain for a value, one for each key. */
async function hashedValues(value: string | undefined, keyFiles: readonly string[]): Promise<string[] | undefined> {
  if (value === undefined) return undefined;
  if (keyFiles.length === 0) throw new UsageError("--value requires the key of the hashes: --value-key FILE.");
  const sought = value === "-" ? await firstLine() : value;
  const keys = await Promise.all(keyFiles.map(readValueKey));
  return keys.map((key) => hashedValue(key, sought));
}

/** Reads the first line of standard input: others can see arguments in the process list. */
async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new UsageError("--value - reads the value from standard input, which is empty.");
}
