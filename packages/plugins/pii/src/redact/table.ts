import { expectText, PiiError } from "../errors.js";
import { checkNames } from "../rules/option-names.js";
import { Position } from "./place.js";
import type { PiiRedactor } from "./redactor.js";

/** Options of `redactTable`. */
export interface TableOptions {
  /** The character between cells. Default: the most frequent one of `,`, `;`, tab and `|` in the first line. */
  readonly separator?: string;
  /** The names of the columns, if the text has no header. Default: the cells of the first record. */
  readonly columns?: readonly string[];
}

/** One cell of a record, as it is treated. */
export interface Cell {
  /** The content without quotes. */
  readonly value: string;
  /** The name of the cell's column. `undefined` in the header and after the last column. */
  readonly column: string | undefined;
  readonly line: number;
  readonly at: number;
}

/** Returns the treated values of the cells of one record, in order. */
type TreatCells = (cells: readonly Cell[]) => readonly string[];

/**
 * Redacts a table with one record per line: CSV (RFC 4180), TSV, or Markdown with `|`. The name of a column is context
 * for its values, as the name of a field is in `value`. Quotes, line ends and cells without findings stay as written.
 *
 * @throws {PiiError} `ERR_PII_BLOCKED`, `ERR_PII_INVALID_RULE`, `ERR_PII_NEEDS_ASYNC`, `ERR_PII_NOT_TEXT`
 * @example
 * ```ts
 * redactTable("name,phone\nJane,4155552671\n", createRedactor({ phone: "redact" })); // "name,phone\nJane,[REDACTED_PHONE]\n"
 * ```
 */
export function redactTable(text: string, redactor: Pick<PiiRedactor, "value">, options: TableOptions = {}): string {
  const table = new Table((cells) => {
    const fields = cells.map(({ value, column }) => (column === undefined ? value : { [column]: value }));
    return (redactor.value(fields) as (string | object)[]).map((field) =>
      typeof field === "string" ? field : String(Object.values(field)[0]),
    );
  }, options);
  return table.treat(expectText(text, "redactTable()"));
}

const separators = [",", ";", "\t", "|"];

/** Treats a table in chunks of complete records. */
export class Table {
  readonly #treat: TreatCells;
  readonly #position = new Position();
  #separator: string | undefined;
  #columns: readonly string[] | undefined;

  constructor(treat: TreatCells, options: TableOptions = {}) {
    const { separator, columns } = checkNames("redactTable", options, ["separator", "columns"]);
    if (separator !== undefined && !/^[^"\r\n]$/.test(separator)) throw invalid("separator is one character.");
    if (columns !== undefined && !(Array.isArray(columns) && columns.every((name) => typeof name === "string")))
      throw invalid("columns is a list of names.");
    this.#treat = treat;
    this.#separator = separator;
    this.#columns = columns;
  }

  treat(text: string): string {
    if (text === "") return "";
    this.#separator ??= separatorOf(text);
    let out = "";
    for (let at = 0; at < text.length; ) {
      const spans = recordAt(text, at, this.#separator);
      const end = lineEnd(text, spans.at(-1)?.end ?? at);
      out += this.#record(text, at, end, spans, this.#separator);
      at = end;
    }
    return out;
  }

  #record(text: string, from: number, end: number, spans: readonly Span[], separator: string): string {
    let known = from;
    const cells = spans.map((span, index): Cell => {
      this.#position.read(text.slice(known, span.start));
      known = span.start;
      const { line, column } = this.#position;
      return { value: contentOf(text, span), column: this.#columns?.[index], line, at: column + (span.quoted ? 1 : 0) };
    });
    this.#position.read(text.slice(known, end));
    // Names are read without the spaces and the byte order mark around them.
    this.#columns ??= cells.map(({ value }) => value.replace(/^\ufeff/, "").trim());
    const treated = this.#treat(cells);
    let out = "";
    let written = from;
    for (const [index, { value }] of cells.entries()) {
      const [span, now = value] = [spans[index], treated[index]];
      if (span === undefined || now === value) continue;
      // A quote inside a cell without quotes is an ordinary character.
      const quoted = span.quoted || now.includes(separator) || (/["\r\n]/.test(now) && !value.includes('"'));
      out += text.slice(written, span.start) + (quoted ? `"${now.replaceAll('"', '""')}"` : now);
      written = span.end;
    }
    return out + text.slice(written, end);
  }
}

/** The position of a cell with its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** Returns the cells of the record that begins at `from`. A quote that is never closed is an ordinary character. */
function recordAt(text: string, from: number, separator: string): readonly Span[] {
  const spans: Span[] = [];
  for (let start = from; ; ) {
    const close = text.charAt(start) === '"' ? closingQuote(text, start) : 0;
    const end = cellEnd(text, Math.max(close, start), separator);
    spans.push({ start, end, quoted: close > 0 && end === close });
    if (text.charAt(end) !== separator) return spans;
    start = end + 1;
  }
}

/** Returns the index after the quote that closes the one at `from`, or 0. Two quotes inside stand for one. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at >= 0 && text.charAt(at + 1) === '"') at = text.indexOf('"', at + 2);
  return at + 1;
}

/** Returns true if a quoted cell goes on after a line. @param open True if one is open before the line. */
export function endsOpen(line: string, open: boolean): boolean {
  for (let at = open ? -1 : line.indexOf('"'); at >= 0 || open; at = line.indexOf('"', at)) {
    const opens = open || at === 0 || separators.includes(line.charAt(at - 1));
    const close = opens ? closingQuote(line, at) : at + 1;
    if (close === 0) return true;
    open = false;
    at = close;
  }
  return false;
}

function cellEnd(text: string, from: number, separator: string): number {
  let end = from;
  while (end < text.length && text.charAt(end) !== separator && !isLineEnd(text, end)) end++;
  return end;
}

const isLineEnd = (text: string, at: number): boolean => text.charAt(at) === "\n" || text.charAt(at) === "\r";

const lineEnd = (text: string, at: number): number => Math.min(text.length, at + (text.startsWith("\r\n", at) ? 2 : 1));

const contentOf = (text: string, { start, end, quoted }: Span): string =>
  quoted ? text.slice(start + 1, end - 1).replaceAll('""', '"') : text.slice(start, end);

function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const counts = separators.map((separator) => first.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

const invalid = (what: string): PiiError => new PiiError("ERR_PII_INVALID_RULE", `redactTable(): ${what}`);
