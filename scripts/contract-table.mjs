// The tables of docs/contract.md: which scenarios of the contract each adapter passes, and what each plugin does in each
// framework. They are made of jest's JSON reports, so that they say what was seen.
//
//   node scripts/contract-table.mjs REPORTS            writes them into docs/contract.md
//   node scripts/contract-table.mjs REPORTS --check    fails where that file has others
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

/** @typedef {{ status: string, title: string, ancestorTitles: string[] }} Result */
/** @typedef {{ name: string, assertionResults: Result[] }} TestFile */

const [folder = ".", mode] = process.argv.slice(2);

/** @type {TestFile[]} */
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")).testResults);

/** A table of what each subject made of each promise, and the reasons why some are not offered. */
class Table {
  /** The rows: from each to what each column's tests said. @type {Map<string, Map<string, Result[]>>} */
  #rows = new Map();
  /** @type {Set<string>} */
  #columns = new Set();
  /** @type {Map<string, number>} */
  #reasons = new Map();

  /** @param {string} row @param {string} column @param {Result} result */
  add(row, column, result) {
    this.#columns.add(column);
    const cells = this.#rows.get(row) ?? new Map();
    this.#rows.set(row, cells.set(column, [...(cells.get(column) ?? []), result]));
  }

  /** @param {Result[]} results */
  #cell(results) {
    if (results.length === 0) return "";
    if (results.every(({ status }) => status === "passed")) return "✓";
    const why = results.map(({ title }) => /\(not offered: (.*)\)$/.exec(title)?.[1]);
    if (results.some(({ status }, index) => status !== "passed" && why[index] === undefined)) return "failed";
    const numbers = why
      .flatMap((each) => each?.split("; ") ?? [])
      .map((reason) => {
        if (!this.#reasons.has(reason)) this.#reasons.set(reason, this.#reasons.size + 1);
        return this.#reasons.get(reason);
      });
    return `– ${[...new Set(numbers)].join(" ")}`;
  }

  toString() {
    const columns = [...this.#columns].sort();
    const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
    const rows = [...this.#rows].map(([row, cells]) =>
      line([row, ...columns.map((column) => this.#cell(cells.get(column) ?? []))]),
    );
    const head = [line(["", ...columns]), line(["---", ...columns.map(() => "---")])];
    const reasons = [...this.#reasons].map(([why, number]) => `${number}. Not offered: ${why}.`);
    return [...head, ...rows, ...(reasons.length > 0 ? ["", ...reasons] : [])].join("\n");
  }
}

/** The scenarios of the contract, adapter by adapter. */
const contract = new Table();
const suffix = / keeps the contract of adapters$/;
// Other tests hold the contract against subjects of their own.
for (const { name, assertionResults } of files) {
  if (!/\/(agent|adapters\/[^/]+)\/test\/(slow\/)?contract[^/]*\.test\.ts$/.test(name)) continue;
  for (const result of assertionResults) {
    const adapter = result.ancestorTitles.at(-1);
    if (adapter === undefined || !suffix.test(adapter)) continue;
    const column = adapter.replace(suffix, "").replace(/,$/, "");
    contract.add(result.title.replace(/ \(not offered: .*\)$/, ""), column, result);
  }
}

/** The promises of plugins, framework by framework: plain and streamed together. */
const plugins = new Table();
// Reports have files in the order in which they ended.
for (const { name, assertionResults } of files.toSorted((a, b) => a.name.localeCompare(b.name))) {
  if (!name.endsWith("-in-frameworks.test.ts")) continue;
  for (const result of assertionResults) {
    const [, , framework] = /^(.*?) in (.*)$/.exec(result.ancestorTitles[0] ?? "") ?? [];
    if (framework === undefined) continue;
    plugins.add(result.title.replace(/ \(not offered: .*\)$/, ""), framework, result);
  }
}

const file = join(root, "docs/contract.md");
const page = readFileSync(file, "utf8");
const made = [placed("contract table", contract), placed("plugin table", plugins)].reduce(
  (text, place) => place(text),
  page,
);

/** @param {string} name @param {Table} table @returns {(text: string) => string} */
function placed(name, table) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  return (text) => {
    const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
    if (from < begin.length || to < from)
      throw new Error(`docs/contract.md has no place for it: ${begin.trim()} … ${end}`);
    return `${text.slice(0, from)}\n${table}\n\n${text.slice(to)}`;
  };
}

/** A formatter pads the cells. @param {string} text */
const bare = (text) => text.replaceAll(/ +/g, " ").replaceAll(/-{2,}/g, "--");
if (mode !== "--check") writeFileSync(file, made);
else if (bare(made) !== bare(page)) {
  console.error("docs/contract.md: a table is not what the tests say. Run `npm run contract-table`.");
  process.exitCode = 1;
}
