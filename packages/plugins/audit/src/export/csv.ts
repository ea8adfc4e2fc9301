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

/** The header of a CSV table, without its line end (CR LF, RFC 4180). */
export const csvHeader: string = ["file", "index", ...summarised, "details", "content"].join(",");

/** Formats a record as a line of that table. Details and content are JSON. */
export function csvLine({ file, index, record, summary }: Found): string {
  const json = [record.details, record.content].map((value) =>
    value === undefined ? undefined : JSON.stringify(value),
  );
  return [file, String(index), ...summarised.map((name) => summary[name]), ...json].map(cell).join(",");
}

/** The characters that start a formula in a spreadsheet, or that it skips before one. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Formats a cell (RFC 4180). A possible formula gets a leading apostrophe, as OWASP advises, so that a spreadsheet
 * treats it as text.
 */
export function cell(value: string | undefined): string {
  if (value === undefined) return "";
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
