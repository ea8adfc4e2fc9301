// The table of docs/contract.md that says which scenarios of the contract each adapter passes: made of jest's JSON reports, so
// that it says what was seen.
//
//   node scripts/contract-table.mjs REPORTS            writes it into docs/contract.md
//   node scripts/contract-table.mjs REPORTS --check    fails where that file has another one
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

/** @typedef {{ status: string, title: string, ancestorTitles: string[] }} Result */

const [folder = ".", mode] = process.argv.slice(2);
const suffix = / keeps the contract of adapters$/;
const [begin, end] = ["<!-- contract table -->\n", "<!-- /contract table -->"];

/** From each scenario to what each adapter made of it. @type {Map<string, Map<string, Result>>} */
const rows = new Map();
/** @type {string[]} */
const columns = [];

for (const name of readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .sort()) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  /** @type {{ name: string, assertionResults: Result[] }[]} */
  const files = report.testResults;
  // Other tests hold the contract against subjects of their own.
  const contracts = files.filter(({ name }) => /\/(agent|adapters\/[^/]+)\/test\/contract[^/]*\.test\.ts$/.test(name));
  const results = contracts.flatMap((file) => file.assertionResults);
  for (const result of results) {
    const adapter = result.ancestorTitles.at(-1);
    if (adapter === undefined || !suffix.test(adapter)) continue;
    const column = adapter.replace(suffix, "").replace(/,$/, "");
    if (!columns.includes(column)) columns.push(column);
    const scenario = result.title.replace(/ \(not offered: .*\)$/, "");
    rows.set(scenario, (rows.get(scenario) ?? new Map()).set(column, result));
  }
}
columns.sort();

/** @type {Map<string, number>} */
const reasons = new Map();

/** @param {Result | undefined} result */
function cell(result) {
  if (result === undefined) return "";
  if (result.status === "passed") return "✓";
  const [, why] = /\(not offered: (.*)\)$/.exec(result.title) ?? [];
  if (why === undefined) return "failed";
  const numbers = why.split("; ").map((reason) => {
    if (!reasons.has(reason)) reasons.set(reason, reasons.size + 1);
    return reasons.get(reason);
  });
  return `– ${numbers.join(" ")}`;
}

const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
const table = [
  line(["", ...columns]),
  line(["---", ...columns.map(() => "---")]),
  ...[...rows].map(([scenario, results]) => line([scenario, ...columns.map((column) => cell(results.get(column)))])),
  "",
  ...[...reasons].map(([why, number]) => `${number}. Not offered: ${why}.`),
];

const file = join(root, "docs/contract.md");
const page = readFileSync(file, "utf8");
const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
if (from < begin.length || to < from)
  throw new Error(`docs/contract.md has no place for the table: ${begin.trim()} … ${end}`);
const made = `${page.slice(0, from)}\n${table.join("\n")}\n\n${page.slice(to)}`;
/** A formatter pads the cells. @param {string} text */
const bare = (text) => text.replaceAll(/ +/g, " ").replaceAll(/-{2,}/g, "--");
if (mode !== "--check") writeFileSync(file, made);
else if (bare(made) !== bare(page)) {
  console.error("docs/contract.md: the table of the contract is not what the tests say. Run `npm run contract-table`.");
  process.exitCode = 1;
}
