import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** More files than a person would have looked through. */
const MOST = 5000;

const source = /\.[cm]?[jt]sx?$/;
const others = /\.d\.[cm]?ts$|[.-](?:test|spec|config)\.[cm]?[jt]sx?$|^suite\.[cm]?[jt]s$/;
const elsewhere = new Set(["node_modules", "dist", "build", "out", "coverage", "test", "tests", "__tests__", "vendor"]);

/** The source files of a project that are neither made by a tool nor tests, relative to its folder, in order. */
export async function sourceFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [""];
  for (let at = waiting.shift(); at !== undefined && found.length < MOST; at = waiting.shift()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory() && !elsewhere.has(entry.name) && !entry.name.startsWith("."))
        waiting.push(join(at, entry.name));
      else if (entry.isFile() && source.test(entry.name) && !others.test(entry.name)) found.push(join(at, entry.name));
    }
  }
  return found;
}
