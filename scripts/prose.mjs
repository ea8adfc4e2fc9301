import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { habits } from "./prose-habits.mjs";
import { root } from "./workspaces.mjs";

// Measures how plain the comments and the documentation are: hits of each habit per 1,000 words.
// Run directly, it prints the hits of some files: node scripts/prose.mjs packages/core/src/options.ts

/** The maximum number of hits of all habits per 1,000 words. */
export const maxima = { code: 2, docs: 4 };

/** @typedef {{ words: number, hits: number, habits: Record<string, number> }} Rates hits per 1,000 words */

/** Returns the prose of a file: the comments of a source file without code, or the text of a Markdown file. @param {string} file @param {string} source */
export function proseOf(file, source) {
  if (!file.endsWith(".md")) {
    const comments = source.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?<=^|\s)\/\/(.*)$/gm);
    return [...comments]
      .map(([, block, line]) => (block ?? line ?? "").replace(/^\s*\*\s?/gm, ""))
      .map((text) => text.replace(/```[\s\S]*?```/g, "").replace(/`[^`]*`/g, "x"))
      .join("\n\n");
  }
  return source
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "x")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/<[^>]*>/g, "");
}

/** Returns the hits of each habit in a string. @param {string} text */
export const hitsOf = (text) =>
  habits.map(({ name, instead, expression }) => ({ name, instead, found: text.match(expression) ?? [] }));

/** Returns the hits per 1,000 words of several strings. @param {readonly string[]} texts @returns {Rates} */
export function rates(texts) {
  let words = 0;
  /** @type {Record<string, number>} */
  const counts = {};
  for (const text of texts) {
    words += (text.match(/[A-Za-z][A-Za-z'-]*/g) ?? []).length;
    for (const { name, found } of hitsOf(text)) counts[name] = (counts[name] ?? 0) + found.length;
  }
  const per = (/** @type {number} */ count) => (1000 * count) / Math.max(words, 1);
  const entries = Object.entries(counts);
  return {
    words,
    hits: per(entries.reduce((sum, [, count]) => sum + count, 0)),
    habits: Object.fromEntries(entries.map(([name, count]) => [name, per(count)])),
  };
}

/** Returns the habits above their limit in measured prose, as lines. @param {"code" | "docs"} kind @param {Rates} measured */
export function excess(kind, measured) {
  const above = habits.filter(({ name, limit }) => (measured.habits[name] ?? 0) > limit);
  return [
    ...(measured.hits > maxima[kind] ? [`${kind}: ${measured.hits.toFixed(2)} of at most ${maxima[kind]}`] : []),
    ...above.map(
      ({ name, limit, instead }) =>
        `${kind}: ${name}: ${measured.habits[name]?.toFixed(2)} of at most ${limit}. Write ${instead}`,
    ),
  ];
}

/** Returns the tracked source files and Markdown files, relative to the root. Change logs and generated pages are excluded. */
export function files() {
  const all = execFileSync("git", ["-C", root, "ls-files"], { encoding: "utf8", maxBuffer: 1 << 28 })
    .trim()
    .split("\n");
  return {
    code: all.filter((file) => /(^|\/)src\/.*\.tsx?$/.test(file)),
    docs: all.filter((file) => file.endsWith(".md") && !/CHANGELOG|LICENSE|bench\/|docs\/contract\.md/.test(file)),
  };
}

/** Returns the hits per 1,000 words of all comments or all documentation. @param {"code" | "docs"} kind */
export const measure = (kind) =>
  rates(files()[kind].map((file) => proseOf(file, readFileSync(join(root, file), "utf8"))));

if (process.argv[1] === import.meta.filename) {
  for (const file of process.argv.slice(2))
    for (const { name, instead, found } of hitsOf(proseOf(file, readFileSync(resolve(file), "utf8"))))
      for (const hit of found) console.log(`${file}: "${hit.trim()}" (${name}): write ${instead}`);
  for (const kind of /** @type {const} */ (["code", "docs"])) {
    const measured = measure(kind);
    console.log(
      `${kind}: ${measured.words} words, ${measured.hits.toFixed(2)} hits per 1,000 (at most ${maxima[kind]})`,
    );
    for (const line of excess(kind, measured)) console.log(`  ${line}`);
  }
}
