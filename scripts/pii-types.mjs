// The lists of types in the README of @suite/pii, with an example and its mask, and in its page of details, with a
// description: made of the registry and of each recogniser's docstring, so that they contain every type.
//
//   node scripts/pii-types.mjs            writes them. A test fails if a page has other lists
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

/** The pages with lists. */
export const guides = [join(pii, "README.md"), join(root, "docs/details/pii-types.md")];

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

/** The documentation of a type. @param {string} type @param {ReadonlyMap<string, Documented>} texts */
function documentationOf(type, texts) {
  const { text = "", examples = [] } = texts.get(type) ?? {};
  if (text === "" || examples.length === 0) throw new Error(`"${type}" has no docstring with an @example.`);
  return { text, examples };
}

/** Lines of a type's name, an example and its mask, in columns. @param {readonly Recogniser[]} recognisers */
function lines(recognisers) {
  const texts = documented();
  const rows = recognisers.map(({ type, mask }) => {
    const [example = ""] = documentationOf(type, texts).examples;
    return { type, example, mask: mask(exampleValue(example)) };
  });
  const width = Math.max(...rows.map(({ type }) => type.length));
  const shown = rows.map(({ type, example, mask }) => `${type.padEnd(width)}  ${inOneLine(example)}  ->  ${mask}`);
  return `\n\`\`\`text\n${shown.join("\n")}\n\`\`\`\n`;
}

/** A value on one line, without its middle if it is long. @param {string} value */
function inOneLine(value) {
  const line = value.replaceAll("\\n", " ");
  return line.length > 60 ? `${line.slice(0, 40)}…${line.slice(-8)}` : line;
}

/** Entries of types with their descriptions. @param {readonly Recogniser[]} recognisers @param {Registry["aliases"]} aliases */
function entries(recognisers, aliases) {
  const texts = documented();
  const made = recognisers.map(({ type, mask }) => {
    const { text, examples } = documentationOf(type, texts);
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === type);
    const names = `\`${type}\`${others.map((other) => ` (or \`${other}\`)`).join("")}`;
    const masks = examples.map((example) => `\`${inOneLine(example)}\` becomes \`${mask(exampleValue(example))}\``);
    return `- ${names}: ${text}\n${masks.map((each) => `  - ${each}`).join("\n")}`;
  });
  return `\n${made.join("\n")}\n`;
}

/** The lists by their names. @param {Registry} registry @returns {Record<string, string>} */
const lists = ({ recognisers, furtherRecognisers, aliases }) => ({
  types: lines(recognisers),
  "further types": lines(furtherRecognisers),
  "descriptions of types": entries(recognisers, aliases),
  "descriptions of further types": entries(furtherRecognisers, aliases),
});

/** A page with the lists as they have to be. @param {string} guide @param {Registry} registry */
export function withLists(guide, registry) {
  let made = guide;
  for (const [name, list] of Object.entries(lists(registry))) {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
    const [from, to] = [made.indexOf(begin) + begin.length, made.indexOf(end)];
    if (to < from) continue;
    made = `${made.slice(0, from)}${list}\n${made.slice(to)}`;
  }
  return made;
}

/** A guide without what a formatter pads. @param {string} guide */
export const unpadded = (guide) => guide.replaceAll(/ +/g, " ").replaceAll(/-{2,}/g, "--");

if (process.argv[1] === import.meta.filename) {
  const registry = await import(pathToFileURL(join(pii, "dist/recognisers/registry.js")).href);
  for (const file of guides) writeFileSync(file, withLists(readFileSync(file, "utf8"), registry));
}
