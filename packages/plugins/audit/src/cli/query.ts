import { csvHeader, csvLine } from "../export/csv.js";
import { queryLog } from "../index-db/query.js";
import type { Found } from "../reading/found.js";
import { filterOf, filterOptions } from "./filter-options.js";
import type { ExitCode } from "./main.js";
import { printable, writeLines } from "./output.js";
import { progressLine } from "./progress.js";
import { row } from "./row.js";
import { readingWith } from "./subject-keys.js";
import { chosen, parse, wholeNumber } from "./usage.js";

/** `suite-audit query DIR [filters] [--limit N] [--json | --csv] [--keys DIR]`: newest first. Nothing is verified. */
export async function query(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, [...filterOptions, "limit", "keys"], ["json", "csv"]);
  const format = chosen(parsed, ["json", "csv"]) ?? "table";
  const limit = wholeNumber("limit", parsed.last("limit") ?? "100", 1, 1_000_000_000);
  const filter = await filterOf(parsed);
  const progress = progressLine(process.stderr, false, "indexing");
  const reading = await readingWith(parsed.last("keys"));
  const found = reading.read(queryLog(parsed.path, filter, progress));
  let more = false;
  async function* lines() {
    if (format === "csv") yield csvHeader;
    let count = 0;
    for await (const one of found) {
      more = count++ === limit;
      if (more) break;
      yield formats[format](one);
    }
  }
  await writeLines(lines(), undefined, format === "csv" ? "\r\n" : "\n");
  if (more) console.error(`There is more: these are the newest ${limit}. See --limit.`);
  return reading.exitCode();
}

const formats: Readonly<Record<"json" | "csv" | "table", (found: Found) => string>> = {
  json: ({ file, index, record }) => printable(JSON.stringify({ file, index, record })),
  csv: (found) => csvLine(found),
  table: row,
};
