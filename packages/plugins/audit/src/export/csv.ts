import type { Found } from "../query/found.js";

const summarised = [
  "id",
  "time",
  "stage",
  "type",
  "operation",
  "run",
  "agent",
  "agentId",
  "onBehalfOf",
  "target",
  "decision",
  "status",
] as const;

/** The first line of a table in CSV, without its line end (CR LF, RFC 4180). */
export const csvHeader: string = ["file", "index", ...summarised, "details", "content"].join(",");

/** A record as a line of that table. Details and content are JSON. */
export function csvLine({ file, index, record, summary }: Found): string {
  const json = [record.details, record.content].map((value) =>
    value === undefined ? undefined : JSON.stringify(value),
  );
  return [file, String(index), ...summarised.map((name) => summary[name]), ...json].map(cell).join(",");
}

/** The characters with which a spreadsheet begins a formula, or which it skips before one. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell (RFC 4180). What a spreadsheet would compute begins with an apostrophe, as OWASP advises: it is text to it then. */
export function cell(value: string | undefined): string {
  if (value === undefined) return "";
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
