import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspaces.mjs";

/** The tested versions: by package, by peer, by alternative of its range. @typedef {Record<string, string[]>} Tested */
/** @typedef {Record<string, Record<string, Tested>>} Versions */

export const file = join(root, "scripts/versions/tested.json");

/** @returns {Versions} */
export const readVersions = () => JSON.parse(readFileSync(file, "utf8"));

const heading = "## Tested versions\n";

/** Returns the table of a package's README. @param {Record<string, Tested>} peers */
function tableOf(peers) {
  const head = ["peer", "range", "tested: oldest and newest"];
  const rows = Object.entries(peers).flatMap(([peer, ranges]) =>
    Object.entries(ranges).map(([range, versions]) => [`\`${peer}\``, `\`${range}\``, versions.join(", ")]),
  );
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** Returns a README with the table of tested versions. The heading must exist. @param {string} readme @param {Record<string, Tested>} peers */
export function withTable(readme, peers) {
  const start = readme.indexOf(heading);
  if (start === -1) throw new Error(`The README has no heading "${heading.trim()}".`);
  const body = start + heading.length;
  const table = /^\|(?:.*\|\n\|)*.*\|\n/m.exec(readme.slice(body));
  const next = readme.indexOf("\n## ", body);
  const end = next === -1 ? readme.length : next + 1;
  const at = table === null || body + table.index >= end ? undefined : body + table.index;
  const text = `${tableOf(peers)}\n`;
  return at === undefined
    ? `${readme.slice(0, body)}\n${text}${readme.slice(body)}`
    : readme.slice(0, at) + text + readme.slice(at + (table?.[0].length ?? 0));
}
