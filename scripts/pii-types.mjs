// The tables of types in the guides of @suite/pii: made of the registry and of each recogniser's docstring, so that every
// type that there is stands in them.
//
//   node scripts/pii-types.mjs            writes them; a test fails where they have others
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./workspaces.mjs";

/**
 * @typedef {{ readonly type: string, mask(value: string): string }} Recogniser
 * @typedef {{
 *   readonly recognisers: readonly Recogniser[],
 *   readonly furtherRecognisers: readonly Recogniser[],
 *   readonly aliases: Readonly<Record<string, string>>,
 * }} Registry
 * @typedef {{ readonly text: string, readonly examples: readonly string[] }} Documented
 */

const pii = join(root, "packages/plugins/pii");

/** The files with tables. */
export const guides = [join(pii, "README.md")];

/** The docstrings of recognisers, by type. @returns {Map<string, Documented>} */
export function documented() {
  const folder = join(pii, "src/recognisers");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const found = new Map();
  for (const file of files) {
    const source = readFileSync(join(folder, file), "utf8");
    for (const [, docstring = "", type = ""] of source.matchAll(declared)) {
      const lines = docstring.split("\n").map((line) => line.replace(/^\s*\* ?/, ""));
      const examples = lines.filter((line) => line.startsWith("@example ")).map((line) => line.slice(9).trim());
      const prose = lines.filter((line) => !line.startsWith("@"));
      found.set(type, { text: prose.join(" ").replaceAll(/\s+/g, " ").trim(), examples });
    }
  }
  return found;
}

/** The value in an example: the text behind the word that says what it is, where there is one. @param {string} example */
export const exampleValue = (example) => example.slice(Math.max(0, example.search(/(?<=: )\S/)));

/** A docstring, and the type of the recogniser that it stands before. */
const declared = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const [^;]{0,80}?\btype: "(\w+)"/g;

/** @param {Registry} registry */
function tables({ recognisers, furtherRecognisers, aliases }) {
  const texts = documented();
  /** @param {Recogniser} recogniser */
  const row = ({ type, mask }) => {
    const { text = "", examples = [] } = texts.get(type) ?? {};
    if (text === "" || examples.length === 0) throw new Error(`"${type}" has no docstring with an @example.`);
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === type);
    const names = `\`${type}\`${others.map((other) => ` (or \`${other}\`)`).join("")}`;
    const masks = new Set(examples.map((example) => `\`${mask(exampleValue(example))}\``));
    return [names, text.replaceAll("|", "\\|"), [...masks].join(", ")];
  };
  const own = ["your own", "a `RegExp`, always run by RE2 in linear time, or a function", "`****1234`"];
  const head = ["type", "what is found", "mask"];
  const rule = head.map(() => "---");
  return {
    types: [head, rule, ...recognisers.map(row), own],
    "further types": [head, rule, ...furtherRecognisers.map(row)],
  };
}

/** A guide with the tables as they have to be. @param {string} guide @param {Registry} registry */
export function withTables(guide, registry) {
  let made = guide;
  for (const [name, rows] of Object.entries(tables(registry))) {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
    const [from, to] = [made.indexOf(begin) + begin.length, made.indexOf(end)];
    if (to < from) continue;
    const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    made = `${made.slice(0, from)}\n${table}\n\n${made.slice(to)}`;
  }
  return made;
}

/** A guide without what a formatter pads. @param {string} guide */
export const unpadded = (guide) => guide.replaceAll(/ +/g, " ").replaceAll(/-{2,}/g, "--");

if (process.argv[1] === import.meta.filename) {
  const registry = await import(pathToFileURL(join(pii, "dist/recognisers/registry.js")).href);
  for (const file of guides) writeFileSync(file, withTables(readFileSync(file, "utf8"), registry));
}
