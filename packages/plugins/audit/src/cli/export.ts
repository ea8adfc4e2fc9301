import { access } from "node:fs/promises";
import { type ExportForm, exportRecords } from "../export/export.js";
import { writeTiles } from "../export/tlog.js";
import { selectedRecords } from "../query/selected.js";
import { checkUsersFound, withKeyOf } from "./actors.js";
import type { ExitCode } from "./exit-code.js";
import { filterOf, filterOptions } from "./filter-options.js";
import { writeLines } from "./output.js";
import { keysFor } from "./public-keys.js";
import { warnUnproven } from "./unproven.js";
import { chosen, type Parsed, parse, UsageError } from "./usage.js";
import { checkWords, type Query, withoutMatch } from "./words.js";

/**
 * `suite-audit export DIR (--jsonl | --csv | --ocsf | --tlog) [--out PATH] [filters]`: exports records in the order of
 * the log.
 */
export async function exportCommand(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, [...filterOptions, "out", "key", "keys"], ["jsonl", "csv", "ocsf", "tlog"]);
  const format = chosen(parsed, ["jsonl", "csv", "ocsf", "tlog"]);
  if (format === undefined) throw new UsageError("A format is required: --jsonl, --csv, --ocsf or --tlog.");
  if (format === "tlog") return exportTlog(parsed);
  const keys = parsed.last("keys");
  if (keys !== undefined) await access(keys);
  const runQuery: Query = (selection) => selectedRecords(parsed.path, selection);
  const filter = await withKeyOf(await filterOf(parsed), keys);
  await checkWords(filter, runQuery);
  if (filter.actor !== undefined && (await withoutMatch({ actor: filter.actor }, runQuery)).length > 0)
    await checkUsersFound(filter, keys, runQuery);
  const options = { filter, onUnproven: (records: number) => warnUnproven(records) };
  const lines = exportRecords(parsed.path, format as ExportForm, options);
  await writeLines(lines, parsed.last("out"), format === "csv" ? "\r\n" : "\n");
  return 0;
}

async function exportTlog({ path, last }: Parsed): Promise<ExitCode> {
  const out = last("out");
  if (out === undefined) throw new UsageError("--tlog writes folders and requires --out DIRECTORY.");
  const chosenBy = filterOptions.find((name) => last(name) !== undefined);
  if (chosenBy !== undefined)
    throw new UsageError(`--tlog cannot be combined with --${chosenBy}: a tree contains all records.`);
  await writeTiles(path, out, await keysFor(path, last("key")));
  return 0;
}
