import { setImmediate } from "node:timers/promises";
import type { LinearPattern } from "@suite/kit/patterns";
import { textBelow } from "./below.js";
import { displayLine, displayPath } from "./shown.js";
import type { Bounds } from "./walk.js";

/** The result type of a search: file names, matching lines, or the number of lines per file. */
export type GrepMode = "files" | "content" | "count";

/** The parameters of a search. */
export interface Grep {
  readonly root: string;
  readonly pattern: LinearPattern;
  readonly mode: GrepMode;
  readonly maxFileBytes: number;
  readonly maxResults: number;
}

/** The matching lines, and the number of omitted ones. */
export interface GrepFound {
  readonly lines: readonly string[];
  /** The number of files that were skipped because they are too large. */
  readonly skipped: number;
  readonly more: boolean;
}

/** The maximum number of characters searched per line. Matching takes linear time, and a line may be a whole file. */
const mostOfLine = 20_000;
/** Milliseconds of work after which the search yields to other tasks. */
const slice = 20;

/** Searches the files in order, one at a time. */
export async function grep(paths: AsyncIterable<string>, search: Grep, bounds: Bounds): Promise<GrepFound> {
  const lines: string[] = [];
  let skipped = 0;
  for await (const path of paths) {
    const text = await textBelow(search.root, path, search.maxFileBytes);
    if (text === "too large") skipped++;
    if (text === undefined || text === "too large") continue;
    const room = search.maxResults - lines.length;
    const found = await linesOf(text, search.pattern, search.mode === "count" ? text.length + 1 : room + 1, bounds);
    if (bounds.stopped !== undefined && found.length === 0) break;
    if (found.length === 0) continue;
    if (room === 0) return { lines, skipped, more: true };
    const pathText = displayPath(path);
    if (search.mode === "files") lines.push(pathText);
    else if (search.mode === "count") lines.push(`${pathText}:${found.length}`);
    else for (const [number, line] of found.slice(0, room)) lines.push(`${pathText}:${number}:${displayLine(line)}`);
    if (search.mode === "content" && found.length > room) return { lines, skipped, more: true };
  }
  return { lines, skipped, more: false };
}

/** Returns a limited number of matching lines, with line numbers from 1. */
async function linesOf(
  text: string,
  pattern: LinearPattern,
  most: number,
  bounds: Bounds,
): Promise<readonly (readonly [number, string])[]> {
  const found: (readonly [number, string])[] = [];
  let begun = performance.now();
  for (let at = 0, number = 1; at < text.length && found.length < most; number++) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, text[end - 1] === "\r" && end > at ? end - 1 : end);
    if (pattern.find(line.slice(0, mostOfLine), 0) !== undefined) found.push([number, line]);
    at = end + 1;
    if (performance.now() - begun < slice) continue;
    await setImmediate();
    begun = performance.now();
    if (!bounds.spend(0)) break;
  }
  return found;
}
