/** A value of a row, as it is written in a layout. */
interface Written {
  readonly name: string;
  readonly text: string;
}

/** A way to write rows: how a value is escaped, how a row is written, and what stands around all of them. */
export interface Layout {
  readonly escape?: (value: string) => string;
  readonly row: (cells: readonly Written[]) => string;
  /** The text between the rows: a line break unless said otherwise. */
  readonly between?: string;
  readonly head?: string;
  readonly tail?: string;
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const inMarkup = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const joined =
  (separator: string, wrap: (text: string, name: string) => string = (text) => text) =>
  (cells: readonly Written[]): string =>
    cells.map(({ name, text }) => wrap(text, name)).join(separator);

const object = (cells: readonly Written[]): string => `{${joined(",", (text, name) => `"${name}":"${text}"`)(cells)}}`;

/** Layouts as tools, databases, files and frameworks write rows. */
export const layouts: Readonly<Record<string, Layout>> = {
  CSV: { row: joined(",") },
  "CSV with Windows' line ends": { row: joined(","), between: "\r\n" },
  "CSV in quotes": { row: joined(",", (text) => `"${text}"`) },
  "CSV with semicolons": { row: joined(";") },
  "CSV with a space behind commas": { row: joined(", ") },
  TSV: { row: joined("\t") },
  "fixed width": { row: joined("  ", (text) => text.padEnd(45)) },
  JSON: { escape: inJson, head: '{"rows":[', row: object, between: ",", tail: "]}" },
  "JSON, indented": {
    escape: inJson,
    head: "[\n",
    row: (cells) => `  {\n${joined(",\n", (text, name) => `    "${name}": "${text}"`)(cells)}\n  }`,
    between: ",\n",
    tail: "\n]",
  },
  "arrays of JSON": { escape: inJson, row: (cells) => `[${joined(",", (text) => `"${text}"`)(cells)}]` },
  NDJSON: { escape: inJson, row: object },
  "JSON in a string of JSON": {
    escape: (value) => inJson(inJson(value)),
    row: (cells) => `{"type":"tool_result","content":${JSON.stringify(object(cells))}}`,
  },
  "CSV in a string of JSON": { escape: inJson, head: '{"content":"', row: joined(","), between: "\\n", tail: '"}' },
  "lines in a string of JSON": {
    escape: inJson,
    head: '{"content":"',
    row: joined("\\n", (text, name) => `${name}:\\t${text}`),
    between: "\\r\\n",
    tail: '"}',
  },
  SQL: {
    escape: (value) => value.replaceAll("'", "''"),
    head: "INSERT INTO customers VALUES\n",
    row: (cells) => `(${joined(",", (text) => (/^\d+$/.test(text) ? text : `'${text}'`))(cells)})`,
    between: ",\n",
    tail: ";",
  },
  YAML: { row: (cells) => `- ${joined("\n  ", (text, name) => `${name}: ${text}`)(cells)}` },
  XML: {
    escape: inMarkup,
    row: (cells) => `<row>${joined("", (text, name) => `<${name}>${text}</${name}>`)(cells)}</row>`,
  },
  "XML attributes": {
    escape: inMarkup,
    row: (cells) => `<row ${joined(" ", (text, name) => `${name}="${text}"`)(cells)}/>`,
  },
  HTML: { escape: inMarkup, row: (cells) => `<tr>${joined("", (text) => `<td>${text}</td>`)(cells)}</tr>` },
  "Markdown table": { row: (cells) => `| ${joined(" | ")(cells)} |` },
  INI: { row: (cells) => `[customer]\n${joined("\n", (text, name) => `${name}=${text}`)(cells)}\n` },
  logfmt: {
    row: (cells) =>
      `level=info ${joined(" ", (text, name) => (text.includes(" ") ? `${name}="${text}"` : `${name}=${text}`))(cells)}`,
  },
  log: {
    row: (cells) =>
      `2026-04-19T09:33:44.120Z INFO [worker-3] saved ${joined(", ", (text, name) => `${name}=${text}`)(cells)}`,
  },
  "key=value with commas": { row: joined(",", (text, name) => `${name}=${text}`) },
  "URL query": { escape: encodeURIComponent, row: joined("&", (text, name) => `${name}=${text}`) },
};
