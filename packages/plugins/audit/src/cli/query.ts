import { printable } from "@suite/kit/text";
import { csvHeader, csvLine } from "../export/csv.js";
import type { RecordFilter } from "../query/filter.js";
import type { Found } from "../query/found.js";
import { queryLog } from "../query/index/query.js";
import { checkUsersFound, withKeyOf } from "./actors.js";
import type { ExitCode } from "./exit-code.js";
import { filterOf, filterOptions } from "./filter-options.js";
import { writeLines } from "./output.js";
import { progressLine } from "./progress.js";
import { row } from "./row.js";
import { recordReader } from "./subject-keys.js";
import { Unproven } from "./unproven.js";
import { chosen, type Parsed, parse, UsageError, wholeNumber } from "./usage.js";
import { checkWords, type Query, withoutMatch } from "./words.js";

/**
 * `suite-audit query DIR [filters] [--limit N] [--json | --csv] [--unproven] [--keys DIR]`: prints the newest records
 * first. Nothing is verified.
 */
export async function query(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, [...filterOptions, "limit", "keys"], ["json", "csv", "unproven"]);
  const format = chosen(parsed, ["json", "csv"]) ?? "table";
  // The table has no column for it, so that its readers would mistake unproven records for records of the log.
  if (format === "csv" && parsed.has("unproven"))
    throw new UsageError("--csv cannot mark unproven records. Use --json.");
  const limit = wholeNumber("limit", parsed.last("limit") ?? "100", 1, 1_000_000_000);
  const progress = progressLine(process.stderr, false, "indexing");
  const reading = await recordReader(parsed.last("keys"));
  const unproven = new Unproven();
  const runQuery: Query = (selection) => queryLog(parsed.path, selection, { progress });
  const filter = await withKeyOf(await filterOf(parsed), parsed.last("keys"));
  await checkWords(filter, runQuery);
  const all = queryLog(parsed.path, filter, { progress, unreadable });
  const found = reading.read(parsed.has("unproven") ? all : unproven.withoutUnproven(all));
  let more = false;
  let count = 0;
  async function* lines() {
    if (format === "csv") yield csvHeader;
    for await (const one of found) {
      more = count++ === limit;
      if (more) break;
      yield formats[format](one);
    }
  }
  await writeLines(lines(), undefined, format === "csv" ? "\r\n" : "\n");
  if (count === 0) await printNone(filter, parsed, runQuery);
  unproven.report(" --unproven shows them.");
  if (more) console.error(`There are more records. These are the newest ${limit}. See --limit.`);
  return reading.exitCode();
}

/** Reports that no record was found, and the filters that match no record of the log. */
async function printNone(filter: RecordFilter, { last }: Parsed, runQuery: Query): Promise<void> {
  const without = await withoutMatch(filter, runQuery);
  if (without.includes("actor")) await checkUsersFound(filter, last("keys"), runQuery);
  const none = without.map((name) => (name === "values" ? "--value" : `--${name}`));
  console.error(
    none.length === 0 ? "No record was found." : `No record was found. The log has no match for ${none.join(", ")}.`,
  );
}

const unreadable = (lines: number): void =>
  console.error(
    `${lines === 1 ? "1 line" : `${lines} lines`} of this log cannot be read as a record. \`suite-audit verify\` reports the location.`,
  );

const formats: Readonly<Record<"json" | "csv" | "table", (found: Found) => string>> = {
  json: ({ file, index, record, unproven }) => printable(JSON.stringify({ file, index, unproven, record })),
  csv: csvLine,
  table: row,
};
