import type { Edit } from "./edits.js";
import { type Import, importsOf } from "./imports.js";
import type { Target } from "./targets.js";
import { closing, type Token, tokensOf } from "./tokens.js";

/** The change of a file: edits; `done` if the plugins are already there; undefined if no place for them is clear. */
export type Plan = readonly Edit[] | "done" | undefined;

/** A file to change, and the specifier that would import the module with the plugins. */
export interface SourceFile {
  readonly code: string;
  readonly isTypeScript: boolean;
  readonly isJsx: boolean;
  readonly setup: string;
}

/** A file with its content, for one framework. */
interface Read extends SourceFile {
  readonly target: Target;
  readonly tokens: readonly Token[];
  readonly imports: readonly Import[];
  /** The line end, the quote and the statement end that the file uses. */
  readonly line: string;
  readonly quote: string;
  readonly semicolon: string;
  /** The local names of `withPlugins` and of the list of plugins. */
  readonly wrap: string;
  readonly plugins: string;
}

/**
 * Plans the change that adds the plugins to a file that uses a framework. Nothing is guessed: unclear code is not
 * changed.
 */
export function plan(file: SourceFile, target: Target): Plan {
  const tokens = tokensOf(file.code, file.isJsx);
  const imports = importsOf(tokens);
  const used = imports.filter(({ source }) => Object.hasOwn(target.from, source));
  if (used.length === 0) return undefined;
  if (isDone(tokens, imports, target)) return "done";
  const words = new Set(tokens.map(({ value }) => value));
  const first = used[0] as Import;
  const statement = file.code.slice(first.start, first.end);
  const read: Read = {
    ...file,
    target,
    tokens,
    imports,
    line: file.code.includes("\r\n") ? "\r\n" : "\n",
    quote: statement.includes("'") ? "'" : '"',
    semicolon: statement.endsWith(";") ? ";" : "",
    wrap: free("withPlugins", words),
    plugins: free("plugins", words),
  };
  const edits = target.wraps === "module" ? ofModule(read, used, words) : ofCreated(read, used);
  return edits.length === 0 ? undefined : edits;
}

/** Returns true if the adapter is imported, or an agent of the suite has plugins. */
function isDone(tokens: readonly Token[], imports: readonly Import[], { adapter, framework }: Target): boolean {
  const wraps = imports.some(
    ({ source, names }) =>
      source === adapter && names.some(({ imported }) => /^(?:with|fetchWith)Plugins$/.test(imported)),
  );
  return wraps || (framework === adapter && tokens.some(({ value }) => value === "plugins"));
}

/** Returns a name that is unused in the file. */
const free = (name: string, words: ReadonlySet<string>): string => {
  const candidates = [name, `suite${name[0]?.toUpperCase()}${name.slice(1)}`, `${name}OfSuite`];
  return candidates.find((each) => !words.has(each)) ?? `_${name}`;
};

/** Takes the functions of a module from the wrapped module. */
function ofModule(read: Read, used: readonly Import[], words: ReadonlySet<string>): readonly Edit[] {
  const wrapped = used.filter((each) => each.namespace !== undefined || wrappedNames(read, each).length > 0);
  const [only] = wrapped;
  if (only === undefined || wrapped.length > 1 || only.byDefault !== undefined || isUsedAsType(read, only)) return [];
  if (only.required !== undefined) {
    const { start, end } = only.required;
    const original = read.code.slice(start, end);
    return [
      { start: only.start, end: only.start, text: addedLines(read, true) },
      { start, end, text: `${read.wrap}(${original}, ${read.plugins})` },
    ];
  }
  const { quote, semicolon, line, wrap, plugins, target } = read;
  const from = `from ${quote}${only.source}${quote}${semicolon}`;
  if (only.namespace !== undefined) {
    // Types that are accessed through the module's name would be lost.
    if (read.isTypeScript) return [];
    const inner = free(`${only.namespace}Module`, words);
    return [
      {
        start: only.start,
        end: only.end,
        text: `import * as ${inner} ${from}${line}${addedLines(read, false).trimEnd()}`,
      },
      afterImports(read, `const ${only.namespace} = ${wrap}(${inner}, ${plugins})${semicolon}`),
    ];
  }
  const alias = words.has(target.alias) ? free(`${target.alias}Module`, words) : target.alias;
  const names = wrappedNames(read, only);
  const remaining = only.names.filter((name) => !names.includes(name));
  const multiline = read.code.slice(only.start, only.end).includes("\n");
  const list = remaining.map(
    ({ imported, local, isType }) =>
      `${isType ? "type " : ""}${imported === local ? local : `${imported} as ${local}`}`,
  );
  const rest = multiline
    ? `import {${line}${list.map((each) => `  ${each},${line}`).join("")}} ${from}`
    : `import { ${list.join(", ")} } ${from}`;
  const lines = [
    ...(remaining.length === 0 ? [] : [rest]),
    `import * as ${alias} ${from}`,
    addedLines(read, false).trimEnd(),
  ];
  const destructured = names.map(({ imported, local }) => (imported === local ? local : `${imported}: ${local}`));
  return [
    { start: only.start, end: only.end, text: lines.join(line) },
    afterImports(read, `const { ${destructured.join(", ")} } = ${wrap}(${alias}, ${plugins})${semicolon}`),
  ];
}

const wrappedNames = ({ target }: Read, { source, names }: Import) =>
  names.filter(({ imported, isType }) => !isType && target.from[source]?.includes(imported));

/** Returns true if a class that would become a constant is used as a type, which a constant cannot be. */
function isUsedAsType(read: Read, only: Import): boolean {
  if (!read.isTypeScript) return false;
  const classes = wrappedNames(read, only).filter(({ local }) => /^[A-Z]/.test(local));
  const asValue = ["new", "extends", "instanceof", "."];
  return read.tokens.some(
    ({ value, start }, at) =>
      (start < only.start || start >= only.end) &&
      classes.some(({ local }) => local === value) &&
      !asValue.includes(read.tokens[at - 1]?.value ?? ""),
  );
}

/** Wraps the expression that creates each client, server or agent. */
function ofCreated(read: Read, used: readonly Import[]): readonly Edit[] {
  const { tokens, target, wrap, plugins } = read;
  const makers = new Map(used.flatMap((each) => creatorsOf(target, each).map((local) => [local, each] as const)));
  const edits: Edit[] = [];
  for (const [at, { value, start, type }] of tokens.entries()) {
    const maker = type === "IdentifierName" ? makers.get(value) : undefined;
    if (maker === undefined || tokens[at + 1]?.value !== "(" || (start >= maker.start && start < maker.end)) continue;
    const before = tokens[at - 1];
    const isNew = before?.value === "new";
    if (isNew === (target.framework === "@suite/agent") || (!isNew && [".", "function"].includes(before?.value ?? "")))
      continue;
    const end = tokens[closing(tokens, at + 1)]?.end;
    if (end === undefined) continue;
    const from = isNew ? (before?.start ?? start) : start;
    edits.push({ start: from, end: from, text: `${wrap}(` }, { start: end, end, text: `, ${plugins})` });
  }
  const [first] = used;
  if (edits.length === 0 || first === undefined) return [];
  return [{ start: first.start, end: first.start, text: addedLines(read, first.required !== undefined) }, ...edits];
}

/** Returns the local names of the functions and classes that create a client, a server or an agent. */
const creatorsOf = ({ from }: Target, { source, names, byDefault, namespace, required }: Import): readonly string[] => {
  const known = from[source] ?? [];
  const localNames = names
    .filter(({ imported, isType }) => !isType && known.includes(imported))
    .map(({ local }) => local);
  const main = byDefault ?? (required === undefined ? undefined : namespace);
  return main !== undefined && known.includes("default") ? [main, ...localNames] : localNames;
};

/** Returns the two import lines for `withPlugins` and the plugins, with their line ends. */
function addedLines({ target, setup, wrap, plugins, quote, semicolon, line }: Read, required: boolean): string {
  const one = (name: string, local: string, source: string): string => {
    const named = name === local ? name : `${name}${required ? ":" : " as"} ${local}`;
    const text = `${quote}${source}${quote}`;
    return required
      ? `const { ${named} } = require(${text})${semicolon}${line}`
      : `import { ${named} } from ${text}${semicolon}${line}`;
  };
  return one("withPlugins", wrap, target.adapter) + one("plugins", plugins, setup);
}

/** Inserts a statement after the last import, whose line may end with a comment. */
function afterImports({ code, imports, tokens, line }: Read, statement: string): Edit {
  const last = Math.max(...imports.filter(({ required }) => required === undefined).map(({ end }) => end));
  const next = code.slice(last).search(/\r?\n/);
  const lineEnd = next < 0 ? code.length : last + next;
  const isAlone = !tokens.some(({ start }) => start >= last && start < lineEnd);
  const at = isAlone ? lineEnd : last;
  return { start: at, end: at, text: `${line}${line}${statement}${isAlone ? "" : line}` };
}
