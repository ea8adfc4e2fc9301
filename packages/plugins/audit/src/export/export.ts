import { callable, name } from "@suite/kit/options";
import { AuditError } from "../errors.js";
import { checkArgument, checkOptions, object, string } from "../options.js";
import { checkFilter, type RecordFilter } from "../query/filter.js";
import type { Found } from "../query/found.js";
import { selectedRecords } from "../query/selected.js";
import { parsePublicKeys } from "../signing/key.js";
import { publicKeysOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { csvHeader, csvLine } from "./csv.js";
import { ocsfEvent } from "./ocsf.js";
import { writeTiles } from "./tlog.js";

/**
 * The format of exported records: the lines of the log, a table for a spreadsheet, or events of OCSF 1.8.0, one per
 * line.
 */
export type ExportForm = "jsonl" | "csv" | "ocsf";

const forms: ReadonlyMap<string, (found: Found) => string> = new Map([
  ["jsonl", ({ line }: Found) => line],
  ["csv", csvLine],
  ["ocsf", (found: Found) => JSON.stringify(ocsfEvent(found))],
]);

/** The options of `exportRecords`. */
export interface ExportOptions {
  /** Selects the records to export. Default: all. */
  readonly filter?: RecordFilter;
  /** Called at the end with the number of omitted records, if any: those after the last signed checkpoint of a file. */
  readonly onUnproven?: (records: number) => void;
}

/**
 * Exports the records of a log as lines, in the order of the log and without line ends. Nothing is verified, see
 * `verify`. Encrypted content stays encrypted.
 *
 * @throws AuditError `ERR_AUDIT_NO_LOG`; `ERR_AUDIT_INVALID_OPTION` for an unknown format
 *
 * @example
 * ```ts
 * for await (const line of exportRecords(".suite/audit", "csv", { filter: { type: "tool" } })) out.write(`${line}\r\n`);
 * ```
 */
export async function* exportRecords(
  dir: string,
  form: ExportForm,
  options: ExportOptions = {},
): AsyncGenerator<string, void> {
  checkArgument("exportRecords", "dir", dir, name);
  options = checkOptions("exportRecords", options, { filter: object, onUnproven: callable });
  const { filter = {}, onUnproven } = options;
  checkFilter(filter);
  const lineOf = forms.get(form);
  if (lineOf === undefined) {
    throw new AuditError(
      "ERR_AUDIT_INVALID_OPTION",
      `The format of an export must be one of ${[...forms.keys()].join(", ")}.`,
    );
  }
  if (form === "csv") yield csvHeader;
  let unproven = 0;
  for await (const found of selectedRecords(dir, filter)) {
    if (found.unproven) unproven++;
    else yield lineOf(found);
  }
  if (unproven > 0) onUnproven?.(unproven);
}

/** The options of `exportTiles`. */
export interface TilesOptions {
  /** Public keys, one per line, from outside the log's directory. Default: the keys in that directory. */
  readonly key?: string;
}

/**
 * Writes each file of a log as a tiled transparency log (https://c2sp.org/tlog-tiles) into a new folder with its name.
 *
 * @throws AuditError `ERR_AUDIT_NO_KEY`; `ERR_AUDIT_NO_PROOF` if a file does not match its signature;
 * `ERR_AUDIT_RECORD_TOO_LARGE`
 */
export async function exportTiles(dir: string, out: string, options: TilesOptions = {}): Promise<void> {
  checkArgument("exportTiles", "dir", dir, name);
  checkArgument("exportTiles", "out", out, name);
  options = checkOptions("exportTiles", options, { key: string });
  const { key } = options;
  const keys = parsePublicKeys(key ?? (await publicKeysOf(dir)) ?? "", nodeCryptography.sha256);
  if (keys.length === 0) {
    throw new AuditError("ERR_AUDIT_NO_KEY", `No public key: none was passed, and ${dir} holds none.`);
  }
  await writeTiles(dir, out, keys);
}
