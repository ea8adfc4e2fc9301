// The tables of options and of error codes in the READMEs: made of the types and their doc comments, so that each option
// and each code that exists has its row, and no other.
//
//   node scripts/reference.mjs            writes them. A test fails if a README has other tables
//
// A README marks the place of a table with <!-- options: TypeName --> or <!-- errors: TypeName -->, closed by
// <!-- /options --> or <!-- /errors -->.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishable, root } from "./workspaces.mjs";

/**
 * @typedef {{ readonly name: string, readonly type: string, readonly optional: boolean, readonly text: string }} Member
 * @typedef {{ readonly parents: readonly string[], readonly members: readonly Member[] }} Declared
 */

/** The sources of a package as one string. @param {string} dir */
function sourceOf(dir) {
  const src = join(root, dir, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.d)\.ts$/.test(file));
  return files.map((file) => readFileSync(join(src, file), "utf8")).join("\n");
}

/** Joins the lines of a doc comment up to its first tag. @param {string} comment */
function prose(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trim());
  const tag = lines.findIndex((line) => line.startsWith("@"));
  return (tag < 0 ? lines : lines.slice(0, tag)).join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Splits at a character outside of brackets and quotes. @param {string} text @param {string} at */
function split(text, at) {
  const parts = [""];
  let depth = 0;
  for (const char of text.replaceAll("=>", "⇒")) {
    if ("([{<".includes(char)) depth += 1;
    if (")]}>".includes(char)) depth -= 1;
    if (char === at && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.replaceAll("⇒", "=>").trim());
}

/** Reads the members of an interface. @param {string} body @returns {Member[]} */
function membersOf(body) {
  const found = body.matchAll(
    /^ {2}(?:\/\*\*([\s\S]*?)\*\/\s*\n {2})?(?:readonly )?(\w+)(\?)?(: |(?=[(<]))((?:(?!;\n)[\s\S])*);$/gm,
  );
  return [...found].map(([, comment = "", name = "", optional, , type = ""]) => ({
    name,
    type: type
      .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
      .replaceAll(/\s+/g, " ")
      .replaceAll("readonly ", "")
      .trim(),
    optional: optional !== undefined,
    text: prose(comment),
  }));
}

/** The interfaces of a package by name. @param {string} source @returns {Map<string, Declared>} */
function interfacesOf(source) {
  const found = source.matchAll(/^export interface (\w+)((?:(?! \{)[\s\S])*) \{(?:\}|\n([\s\S]*?)^\})/gm);
  return new Map(
    [...found].map(([, name = "", head = "", body = ""]) => {
      const [, parents = ""] = /\bextends ([^{]*)$/.exec(split(head, "~")[0] ?? "") ?? [];
      const plain =
        head.startsWith("<") && !/> extends /.test(head) ? "" : parents.replace(/^[^<]*= \w+> extends /, "");
      return [name, { parents: split(plain, ",").filter(Boolean), members: membersOf(body) }];
    }),
  );
}

/** Sources of the packages whose types others extend. */
const shared = ["packages/core", "packages/kit"].map(sourceOf).join("\n");

/** The declarations of a package, for its tables. @param {string} dir */
export function declarations(dir) {
  const source = sourceOf(dir);
  return { source, own: interfacesOf(source), shared: interfacesOf(shared) };
}

/** @typedef {ReturnType<typeof declarations>} Declarations */

/**
 * All options of a type, with those that it inherits. Parents in `without` are left out.
 *
 * @param {Declarations} known
 * @param {string} name
 * @param {readonly string[]} without
 * @returns {{ readonly members: readonly Member[], readonly left: readonly string[], readonly parents: readonly string[] }}
 */
export function optionsOf(known, name, without = []) {
  const declared = known.own.get(name) ?? known.shared.get(name);
  if (declared === undefined) return { members: [], left: [], parents: [] };
  /** @type {Map<string, Member>} */
  const members = new Map();
  const left = new Set();
  /** @type {Set<string>} */
  const parents = new Set();
  for (const parent of declared.parents) {
    const [, utility, base = parent, keys = ""] = /^(Pick|Omit)<(\w+), (.+)>$/.exec(parent) ?? [];
    parents.add(base);
    if (without.includes(base) && utility === undefined) {
      left.add(base);
      continue;
    }
    const inherited = optionsOf(known, base.replace(/<.*/, ""), without);
    for (const each of inherited.left) left.add(each);
    for (const each of inherited.parents) parents.add(each);
    for (const member of inherited.members) {
      const named = keys.includes(`"${member.name}"`);
      if (utility === undefined || named === (utility === "Pick")) members.set(member.name, member);
    }
  }
  for (const member of declared.members) members.set(member.name, member);
  return {
    members: [...members.values()].filter(({ text }) => !text.startsWith("@internal")),
    left: [...left],
    parents: [...parents],
  };
}

/** Words in a string. @param {string} text */
const wordsIn = (text) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** The longest cell of a table, in words. */
export const maxWords = 25;

/** Sentences of a text. @param {string} text */
const sentences = (text) => text.split(/(?<=[.!?])\s+(?=[A-Z`])/);

/** The default value that a doc comment states, and the other sentences. @param {Member} member */
function defaultOf({ text, optional }) {
  const all = sentences(text);
  const at = all.findIndex((each) => /^Default:? /.test(each));
  const stated = at < 0 ? undefined : all[at]?.replace(/^Default:? /, "").replace(/\.$/, "");
  const others = all.filter((_, index) => index !== at);
  const [, value] = /(`[^`]+`) \(default\)/.exec(text) ?? [];
  const meaning = others.join(" ").replace(" (default)", "");
  const without = optional ? "–" : "required";
  return { value: stated ?? value ?? without, meaning };
}

/** The sentences that fit into a cell. @param {string} text */
function cell(text) {
  let kept = "";
  for (const each of sentences(text)) {
    const longer = kept === "" ? each : `${kept} ${each}`;
    if (kept !== "" && wordsIn(longer) > maxWords) break;
    kept = longer;
  }
  return kept;
}

/** A type as a cell shows it. @param {string} type */
function shownType(type) {
  const plain = type.replace(/ \| undefined$/, "");
  if (/^\(+(?:\w+|\{|\)|<)/.test(plain) && plain.includes("=>")) return "function";
  if (plain.startsWith("(") || plain.startsWith("<")) return "function";
  if (plain.startsWith("{")) return "object";
  return `\`${plain.length > 60 ? `${plain.slice(0, plain.lastIndexOf(" ", 56))} …` : plain}\``;
}

const escaped = (/** @type {string} */ text) => text.replaceAll("|", "\\|");

/** @param {readonly (readonly string[])[]} rows */
const table = (rows) => rows.map((cells) => `| ${cells.map(escaped).join(" | ")} |`).join("\n");

/** A table of options. @param {Declarations} known @param {string} name @param {readonly string[]} others */
function optionTable(known, name, others) {
  const { members, left } = optionsOf(
    known,
    name,
    others.filter((other) => other !== name),
  );
  if (members.length === 0 && left.length === 0) throw new Error(`No options are known of ${name}.`);
  const rows = members.map((member) => {
    const { value, meaning } = defaultOf(member);
    if (meaning === "") throw new Error(`The option ${member.name} of ${name} has no doc comment.`);
    return [
      `\`${member.name}\``,
      shownType(member.type),
      value === "true" || value === "false" ? `\`${value}\`` : value,
      cell(meaning),
    ];
  });
  const also = left.length === 0 ? "" : `\nAlso: the options of ${left.map((each) => `\`${each}\``).join(", ")}.\n`;
  if (rows.length === 0) return also;
  return `${also}\n${table([["option", "type", "default", "meaning"], ["---", "---", "---", "---"], ...rows])}\n`;
}

/** The codes of a closed union, with their doc comments. @param {string} source @param {string} name */
export function codesOf(source, name) {
  const [, body = ""] = new RegExp(`^export type ${name} =([\\s\\S]*?);\n`, "m").exec(source) ?? [];
  const found = body.matchAll(/(?:\/\*\*([\s\S]*?)\*\/\s*)?\|?\s*"(ERR_\w+)"/g);
  return [...found].map(([, comment = "", code = ""]) => ({ code, text: prose(comment) }));
}

/** A table of error codes. @param {Declarations} known @param {string} name */
function errorTable(known, name) {
  const codes = codesOf(known.source, name);
  if (codes.length === 0) throw new Error(`No codes are known of ${name}.`);
  const rows = codes.map(({ code, text }) => {
    if (text === "") throw new Error(`${code} has no doc comment.`);
    return [`\`${code}\``, cell(text)];
  });
  return `\n${table([["code", "when"], ["---", "---"], ...rows])}\n`;
}

const marker = /(<!-- (options|errors): (\w+) -->\n)[\s\S]*?(<!-- \/\2 -->)/g;

/** The types with a table in a README. @param {string} readme @param {"options" | "errors"} kind */
export const typesIn = (readme, kind) =>
  [...readme.matchAll(marker)].filter(([, , of]) => of === kind).map(([, , , name = ""]) => name);

/** A README with its tables as they have to be. @param {string} readme @param {string} dir the package's folder */
export function withReference(readme, dir) {
  const known = declarations(dir);
  const others = typesIn(readme, "options");
  return readme.replaceAll(marker, (_, begin, kind, name, end) => {
    const made = kind === "options" ? optionTable(known, name, others) : errorTable(known, name);
    return `${begin}${made}\n${end}`;
  });
}

/** A README without the padding that a formatter adds to tables. @param {string} readme */
export const unpadded = (readme) => readme.replaceAll(/ +/g, " ").replaceAll(/-{2,}/g, "--");

if (process.argv[1] === import.meta.filename) {
  for (const { dir } of publishable()) {
    const path = join(root, dir, "README.md");
    if (!existsSync(path)) continue;
    const readme = readFileSync(path, "utf8");
    const made = withReference(readme, dir);
    if (unpadded(made) !== unpadded(readme)) writeFileSync(path, made);
  }
}
