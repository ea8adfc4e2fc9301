import { type ExportForm, exportRecords } from "../export/export.js";
import { writeTiles } from "../export/tlog.js";
import type { ExitCode } from "./exit-code.js";
import { filterOf, filterOptions } from "./filter-options.js";
import { writeLines } from "./output.js";
import { keysFor } from "./public-keys.js";
import { tellUnproven } from "./unproven.js";
import { chosen, type Parsed, parse, UsageError } from "./usage.js";

/** `suite-audit export DIR (--jsonl | --csv | --ocsf | --tlog) [--out PATH] [filters]`, in the order of the log. */
export async function exportCommand(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, [...filterOptions, "out", "key"], ["jsonl", "csv", "ocsf", "tlog"]);
  const form = chosen(parsed, ["jsonl", "csv", "ocsf", "tlog"]);
  if (form === undefined) throw new UsageError("In which form? --jsonl, --csv, --ocsf or --tlog.");
  if (form === "tlog") return exportTlog(parsed);
  const options = { filter: await filterOf(parsed), onUnproven: (records: number) => tellUnproven(records) };
  const lines = exportRecords(parsed.path, form as ExportForm, options);
  await writeLines(lines, parsed.last("out"), form === "csv" ? "\r\n" : "\n");
  return 0;
}

async function exportTlog({ path, last }: Parsed): Promise<ExitCode> {
  const out = last("out");
  if (out === undefined) throw new UsageError("--tlog writes folders: --out DIRECTORY.");
  const chosenBy = filterOptions.find((name) => last(name) !== undefined);
  if (chosenBy !== undefined) throw new UsageError(`--tlog takes no --${chosenBy}: a tree has all its records.`);
  await writeTiles(path, out, await keysFor(path, last("key")));
  return 0;
}
