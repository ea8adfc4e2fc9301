// Measures the READMEs: lines of code per 1,000 words, words before the first code, the longest cell of a table, and the
// number of options in tables.
//
//   node scripts/readme-figures.mjs       prints the figures of each package
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publishable, root } from "./workspaces.mjs";

/** The least number of lines of code per 1,000 words. */
export const leastCode = 60;

/** Words of a line: a code span counts as one word, addresses of links and comments as none. @param {string} line */
const wordsIn = (line) =>
  line
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/`[^`]*`/g, "x")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/\s+/)
    .filter((word) => /[A-Za-z]/.test(word)).length;

/** Measures a README. @param {string} readme */
export function figuresOf(readme) {
  let words = 0;
  let code = 0;
  /** @type {number | undefined} */
  let before;
  let options = 0;
  let inCode = false;
  /** @type {string[]} */
  const cells = [];
  let inOptions = false;
  for (const line of readme.split("\n")) {
    const fence = line.startsWith("```");
    if (fence) inCode = !inCode;
    if (fence && inCode) before ??= words;
    if (fence) continue;
    if (inCode || /^ {4}\S/.test(line)) {
      before ??= words;
      if (line.trim() !== "") code += 1;
      continue;
    }
    if (line.startsWith("|")) {
      cells.push(...line.slice(1, -1).split(/(?<!\\)\|/));
      if (/^\| option\b/.test(line)) inOptions = true;
      else if (inOptions && !/^\| *-/.test(line)) options += 1;
    } else inOptions = false;
    words += wordsIn(line);
  }
  const long = cells.filter((cell) => wordsIn(cell) > 25);
  return { words, code, perThousand: Math.round((1000 * code) / words), before: before ?? words, options, long };
}

if (process.argv[1] === import.meta.filename) {
  const rows = publishable().map(({ dir, manifest }) => {
    const { long, ...figures } = figuresOf(readFileSync(join(root, dir, "README.md"), "utf8"));
    return [manifest.name, { ...figures, cells: long.length }];
  });
  console.table(Object.fromEntries(rows));
}
