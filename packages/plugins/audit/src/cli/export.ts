import { csvHeader, csvLine } from "../export/csv.js";
import { ocsfEvent } from "../export/ocsf.js";
import { exportTiles } from "../export/tlog.js";
import type { Found } from "../query/found.js";
import { selectedRecords } from "../query/selected.js";
import type { ExitCode } from "./exit-code.js";
import { filterOf, filterOptions } from "./filter-options.js";
import { writeLines } from "./output.js";
import { keysFor } from "./public-keys.js";
import { Unproven } from "./unproven.js";
import { chosen, type Parsed, parse, UsageError } from "./usage.js";

const forms: Readonly<Record<"jsonl" | "csv" | "ocsf", (found: Found) => string>> = {
  jsonl: ({ line }) => line,
  csv: csvLine,
  ocsf: (found) => JSON.stringify(ocsfEvent(found)),
};

/** `suite-audit export DIR (--jsonl | --csv | --ocsf | --tlog) [--out PATH] [filters]`, in the order of the log. */
export async function exportCommand(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, [...filterOptions, "out", "key"], ["jsonl", "csv", "ocsf", "tlog"]);
  const form = chosen(parsed, ["jsonl", "csv", "ocsf", "tlog"]);
  if (form === undefined) throw new UsageError("In which form? --jsonl, --csv, --ocsf or --tlog.");
  if (form === "tlog") return exportTlog(parsed);
  const unproven = new Unproven();
  const records = unproven.leftOut(selectedRecords(parsed.path, await filterOf(parsed)));
  async function* lines() {
    if (form === "csv") yield csvHeader;
    for await (const record of records) yield forms[form as keyof typeof forms](record);
  }
  await writeLines(lines(), parsed.last("out"), form === "csv" ? "\r\n" : "\n");
  unproven.tell();
  return 0;
}

async function exportTlog({ path, last }: Parsed): Promise<ExitCode> {
  const out = last("out");
  if (out === undefined) throw new UsageError("--tlog writes folders: --out DIRECTORY.");
  const chosenBy = filterOptions.find((name) => last(name) !== undefined);
  if (chosenBy !== undefined) throw new UsageError(`--tlog takes no --${chosenBy}: a tree has all its records.`);
  await exportTiles(path, out, await keysFor(path, last("key")));
  return 0;
}
