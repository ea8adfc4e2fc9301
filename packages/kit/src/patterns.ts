/** The RE2 engine that runs patterns: native or in JavaScript. Both return the same matches. */
export type EngineName = "re2" | "re2js";

/** A pattern that runs in linear time. */
export interface LinearPattern {
  /** Returns the first match that begins at or after `at`. The text before `at` counts for `\b` and `^`. */
  find(text: string, at: number): { readonly start: number; readonly end: number } | undefined;
}

/** The API of `re2js`, RE2 in JavaScript. */
export interface PortableRe2 {
  readonly CASE_INSENSITIVE: number;
  readonly MULTILINE: number;
  readonly DOTALL: number;
  translateRegExp(source: string): string;
  compile(source: string, flags?: number): { matcher(text: string): PortableMatcher };
}

interface PortableMatcher {
  find(at?: number): boolean;
  start(): number;
  end(): number;
}

type NativeRe2 = new (source: string, flags: string) => RegExp;

/** An engine for patterns that users write. It takes linear time for any pattern and text. */
export interface LinearEngine {
  /** The engine in use. */
  readonly name: EngineName;
  /**
   * Compiles a pattern. Throws the engine's error if it cannot.
   *
   * @param name for tests: the engine to use instead of the best available one.
   */
  compile(source: string, flags: string, name?: EngineName): LinearPattern;
}

/**
 * Returns the linear engine of a package: `re2` if the project has installed it and runs on Node, otherwise the one in
 * JavaScript. This package contains neither.
 *
 * @param from the `import.meta.url` of the package that has `re2` as an optional peer, or `undefined`.
 * @example
 * ```ts
 * const { compile } = linearEngine(RE2JS, import.meta.url);
 * ```
 */
export function linearEngine(portable: PortableRe2, from: string | undefined): LinearEngine {
  const native = loadNative(from);
  return {
    name: native === null ? "re2js" : "re2",
    compile(source, flags, name) {
      const syntax = toRe2(source, portable);
      if (native === null || name === "re2js") return portablePattern(portable, syntax, flags);
      return nativePattern(new native(syntax, `${flags}g`));
    },
  };
}

function nativePattern(pattern: RegExp): LinearPattern {
  return {
    find(text, at) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
    },
  };
}

function portablePattern(portable: PortableRe2, source: string, flags: string): LinearPattern {
  let options = 0;
  if (flags.includes("i")) options |= portable.CASE_INSENSITIVE;
  if (flags.includes("m")) options |= portable.MULTILINE;
  if (flags.includes("s")) options |= portable.DOTALL;
  const pattern = portable.compile(source, options);
  return {
    find(text, at) {
      const matcher = pattern.matcher(text);
      return matcher.find(at) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

interface Process {
  readonly versions?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: string): unknown;
}

/**
 * Loads `re2`, an optional Node add-on. It is required through `process`, so that bundlers do not follow it and other
 * runtimes do not fail.
 */
function loadNative(from: string | undefined): NativeRe2 | null {
  try {
    const { process } = globalThis as { process?: Process };
    const module = (isNode(process?.versions) ? process?.getBuiltinModule?.("node:module") : undefined) as
      | { createRequire(from: string | undefined): (name: string) => unknown }
      | undefined;
    const native = (module?.createRequire(from)("re2") as NativeRe2 | undefined) ?? null;
    if (native !== null) new native("a", "g").exec("a");
    return native;
  } catch {
    return null;
  }
}

/**
 * True only for Node. Bun and Deno also report a Node version, but Bun may crash on a V8 add-on, and Deno prompts for
 * permission first.
 */
const isNode = (versions: Process["versions"]): boolean =>
  versions?.node !== undefined && versions.bun === undefined && versions.deno === undefined;

/** General categories (UAX #44). JavaScript also accepts their long names, RE2 only the short ones. */
const categories: Readonly<Record<string, string>> = {
  Letter: "L",
  Uppercase_Letter: "Lu",
  Lowercase_Letter: "Ll",
  Titlecase_Letter: "Lt",
  Modifier_Letter: "Lm",
  Other_Letter: "Lo",
  Mark: "M",
  Nonspacing_Mark: "Mn",
  Spacing_Mark: "Mc",
  Enclosing_Mark: "Me",
  Number: "N",
  Decimal_Number: "Nd",
  Letter_Number: "Nl",
  Other_Number: "No",
  Punctuation: "P",
  Connector_Punctuation: "Pc",
  Dash_Punctuation: "Pd",
  Open_Punctuation: "Ps",
  Close_Punctuation: "Pe",
  Initial_Punctuation: "Pi",
  Final_Punctuation: "Pf",
  Other_Punctuation: "Po",
  Symbol: "S",
  Math_Symbol: "Sm",
  Currency_Symbol: "Sc",
  Modifier_Symbol: "Sk",
  Other_Symbol: "So",
  Separator: "Z",
  Space_Separator: "Zs",
  Line_Separator: "Zl",
  Paragraph_Separator: "Zp",
  Other: "C",
  Control: "Cc",
  Format: "Cf",
  Private_Use: "Co",
};
const shortNames = new Set([...Object.values(categories), "Any"]);

const escaped = /\\(?:([pP])\{(\^?)([^}]*)\}|[\s\S])/g;

/**
 * Translates a JavaScript pattern to RE2 syntax. Both engines receive the same, since each interprets JavaScript syntax
 * differently. Throws for syntax that one of them would reject or misinterpret.
 */
function toRe2(source: string, portable: PortableRe2): string {
  const common = source.replaceAll(escaped, (match, letter: string | undefined, not: string, name: string) => {
    if (match === "\\k") throw new Error("invalid escape sequence: `\\k`");
    return letter === undefined ? match : `\\${letter}{${not}${classOf(name)}}`;
  });
  return portable.translateRegExp(common);
}

/** Returns the RE2 class of a Unicode property: RE2 supports only categories and scripts. */
function classOf(name: string): string {
  const category = name.replace(/^(?:General_Category|gc)=/, "");
  if (Object.hasOwn(categories, category)) return categories[category] ?? category;
  if (shortNames.has(category)) return category;
  const script = name.replace(/^(?:Script|sc)=/, "");
  if (isScript(script)) return script;
  throw new Error(`invalid character class range: \`\\p{${name}}\``);
}

function isScript(name: string): boolean {
  try {
    return /^\w+$/.test(name) && new RegExp(`\\p{Script=${name}}`, "u").unicode;
  } catch {
    return false;
  }
}
