import { RE2JS } from "re2js";
import { toRe2 } from "./syntax.js";

/** The RE2 engine that runs users' patterns: the native one, or the one in JavaScript. Both give the same matches. */
export type EngineName = "re2" | "re2js";

/** A pattern that runs in linear time. */
export interface LinearPattern {
  /** The first match that begins at or after `at`. The text before `at` counts for `\b` and `^`. */
  find(text: string, at: number): { readonly start: number; readonly end: number } | undefined;
}

type NativeRe2 = new (source: string, flags: string) => RegExp;

let native: NativeRe2 | null | undefined;

/** The engine that runs users' patterns here. */
export function engine(): EngineName {
  return loadNative() === null ? "re2js" : "re2";
}

/**
 * Compiles a pattern for RE2, or throws the engine's reason why it cannot.
 *
 * @param name for tests: the engine to use, instead of the best one there is.
 */
export function compilePattern(source: string, flags: string, name: EngineName = engine()): LinearPattern {
  const re2 = name === "re2" ? loadNative() : null;
  const syntax = toRe2(source);
  return re2 === null ? portable(syntax, flags) : nativePattern(new re2(syntax, `${flags}g`));
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

function portable(source: string, flags: string): LinearPattern {
  let options = 0;
  if (flags.includes("i")) options |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes("m")) options |= RE2JS.MULTILINE;
  if (flags.includes("s")) options |= RE2JS.DOTALL;
  const pattern = RE2JS.compile(source, options);
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
 * `re2` is a Node add-on, and optional. It is asked for by way of `process`, so that no bundler follows it and no
 * other runtime misses it.
 */
function loadNative(): NativeRe2 | null {
  if (native !== undefined) return native;
  try {
    const { process } = globalThis as { process?: Process };
    const module = (isNode(process?.versions) ? process?.getBuiltinModule?.("node:module") : undefined) as
      | { createRequire(from: string): (name: string) => unknown }
      | undefined;
    native = (module?.createRequire(import.meta.url)("re2") as NativeRe2 | undefined) ?? null;
    if (native !== null) new native("a", "g").exec("a");
  } catch {
    native = null;
  }
  return native;
}

/** Bun and Deno pass for Node. Bun may die of an add-on for V8, and Deno asks the person at the terminal for leave first. */
const isNode = (versions: Process["versions"]): boolean =>
  versions?.node !== undefined && versions.bun === undefined && versions.deno === undefined;
