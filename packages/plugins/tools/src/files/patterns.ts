import { type LinearEngine, type LinearPattern, linearEngine } from "@suite/kit/patterns";
import { RE2JS } from "re2js";
import { globSource } from "./glob.js";

/** The maximum length of a pattern from a model. */
const longest = 500;

let defaultEngine: LinearEngine | undefined;

/** Compiles a model's expression for RE2. Returns `undefined` if it is invalid or not supported by RE2. */
export function expression(source: string, ignoreCase: boolean): LinearPattern | undefined {
  if (source === "" || source.length > longest) return undefined;
  try {
    defaultEngine ??= linearEngine(RE2JS, import.meta.url);
    return defaultEngine.compile(source, ignoreCase ? "i" : "");
  } catch {
    return undefined;
  }
}

/** Tests relative paths against a glob. */
export type PathTest = (path: string) => boolean;

/**
 * Compiles a glob. Returns `undefined` if it is invalid. It runs as a linear-time expression, so no glob is slow.
 *
 * @param anywhere lets a glob without a slash match a name in any folder
 */
export function pathTest(glob: string, anywhere: boolean): PathTest | undefined {
  const relative = glob.replace(/^\/+/, "");
  const source = relative === "" || relative.length > longest ? undefined : globSource(relative);
  const pattern = source === undefined ? undefined : expressionOf(`^(?:${source})$`);
  if (pattern === undefined) return undefined;
  const ofName = anywhere && !glob.includes("/");
  return (path) => pattern.find(ofName ? path.slice(path.lastIndexOf("/") + 1) : path, 0) !== undefined;
}

function expressionOf(source: string): LinearPattern | undefined {
  try {
    defaultEngine ??= linearEngine(RE2JS, import.meta.url);
    return defaultEngine.compile(source, "s");
  } catch {
    return undefined;
  }
}
