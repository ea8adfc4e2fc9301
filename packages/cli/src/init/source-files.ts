import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** More files than a user would want searched. */
const MOST = 5000;

const source = /\.[cm]?[jt]sx?$/;
const setup = /^suite\.[cm]?[jt]s$/;
const generated = /\.d\.[cm]?ts$|[.-](?:test|spec|config)\.[cm]?[jt]sx?$/;
const elsewhere = new Set(["node_modules", "dist", "build", "out", "coverage", "test", "tests", "__tests__", "vendor"]);

/**
 * Returns the source files of a project, including set-up modules, without generated files and tests. Paths are
 * relative to its folder, and sorted.
 */
export async function allSourceFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [""];
  for (let at = waiting.shift(); at !== undefined && found.length < MOST; at = waiting.shift()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory() && !elsewhere.has(entry.name) && !entry.name.startsWith("."))
        waiting.push(join(at, entry.name));
      else if (entry.isFile() && source.test(entry.name) && !generated.test(entry.name))
        found.push(join(at, entry.name));
    }
  }
  return found;
}

/** Returns the source files that may create an agent. */
export const sourceFiles = async (folder: string): Promise<readonly string[]> =>
  (await allSourceFiles(folder)).filter((path) => !setup.test(basename(path)));

/** Returns the set-up modules of a project: its source files with the name `suite`. */
export const setupFiles = async (folder: string): Promise<readonly string[]> =>
  (await allSourceFiles(folder)).filter((path) => setup.test(basename(path)));
