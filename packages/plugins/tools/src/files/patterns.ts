import { type LinearEngine, type LinearPattern, linearEngine } from "@suite/core/patterns";
import { RE2JS } from "re2js";
import { globSource } from "./glob.js";

/** Characters of a pattern that a model writes. */
const longest = 500;

let own: LinearEngine | undefined;

/** Compiles a model's expression for RE2; undefined where it is none, or one that RE2 cannot express. */
export function expression(source: string, ignoreCase: boolean): LinearPattern | undefined {
  if (source === "" || source.length > longest) return undefined;
  try {
    own ??= linearEngine(RE2JS, import.meta.url);
    return own.compile(source, ignoreCase ? "i" : "");
  } catch {
    return undefined;
  }
}

/** A test of relative paths, by a glob. */
export type PathTest = (path: string) => boolean;

/**
 * Compiles a glob; undefined where it is none. It runs as a linear expression, so that none takes long.
 *
 * @param anywhere a glob without a slash is one of a name, in whatever folder.
 */
export function pathTest(glob: string, anywhere: boolean): PathTest | undefined {
  const plain = glob.replace(/^\/+/, "");
  const source = plain === "" || plain.length > longest ? undefined : globSource(plain);
  const pattern = source === undefined ? undefined : expressionOf(`^(?:${source})$`);
  if (pattern === undefined) return undefined;
  const ofName = anywhere && !glob.includes("/");
  return (path) => pattern.find(ofName ? path.slice(path.lastIndexOf("/") + 1) : path, 0) !== undefined;
}

function expressionOf(source: string): LinearPattern | undefined {
  try {
    own ??= linearEngine(RE2JS, import.meta.url);
    return own.compile(source, "s");
  } catch {
    return undefined;
  }
}
