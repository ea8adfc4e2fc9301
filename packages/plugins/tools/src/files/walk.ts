import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { stateBelow } from "./below.js";
import type { PathTest } from "./patterns.js";

/** Defines the files below a root that may be read. */
export interface Visible {
  readonly root: string;
  readonly hidden: boolean;
  readonly ignored: readonly PathTest[];
}

/** The limits of one search, shared by all its parts. */
export class Bounds {
  #entries: number;
  readonly #until: number;
  readonly #signal: AbortSignal;
  /** The reason why the search stopped early, for the model. */
  stopped: string | undefined;

  constructor(maxEntries: number, timeout: number, signal: AbortSignal) {
    this.#entries = maxEntries;
    this.#until = performance.now() + timeout;
    this.#signal = signal;
  }

  /** Counts folder entries. Returns false if the limit is reached. Throws if the run was cancelled. */
  spend(entries = 1): boolean {
    this.#signal.throwIfAborted();
    this.#entries -= entries;
    if (this.#entries < 0) this.stopped ??= "there are too many files";
    else if (performance.now() > this.#until) this.stopped ??= "it took too long";
    return this.stopped === undefined;
  }
}

/** Returns true if a path may be read: no name in it is hidden, and neither it nor a parent folder is ignored. */
export function isVisible({ hidden, ignored }: Visible, path: string): boolean {
  let end = 0;
  for (const name of path.split("/")) {
    end += end === 0 ? name.length : name.length + 1;
    if (!isVisibleAt(hidden, ignored, name, path.slice(0, end))) return false;
  }
  return true;
}

const isVisibleAt = (hidden: boolean, ignored: readonly PathTest[], name: string, path: string): boolean =>
  (hidden || !name.startsWith(".")) && !ignored.some((test) => test(path));

/** Yields the visible plain files below a folder, sorted by path within each folder. Does not follow links. */
export async function* filesBelow(visible: Visible, folder: string, bounds: Bounds): AsyncGenerator<string, void> {
  for (const entry of await entriesOf(visible, folder, bounds)) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(visible, path, bounds);
    else if (entry.isFile()) yield path;
    if (bounds.stopped !== undefined) return;
  }
}

async function entriesOf(visible: Visible, folder: string, bounds: Bounds): Promise<readonly Dirent[]> {
  const { root, hidden, ignored } = visible;
  const entries: Dirent[] = [];
  try {
    // If a folder becomes a link after this check, its files are later found to be elsewhere.
    if (!(await stateBelow(root, folder))?.isDirectory()) return [];
    for await (const entry of await opendir(join(root, folder))) {
      if (!bounds.spend()) break;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isVisibleAt(hidden, ignored, entry.name, path)) entries.push(entry);
    }
  } catch (error) {
    if (isOfSystem(error)) return []; // removed meanwhile, or not readable
    throw error;
  }
  // Sort like full paths: a folder by its name with a trailing slash.
  const key = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  return entries.sort((a, b) => compare(key(a), key(b)));
}

const isOfSystem = (error: unknown): boolean => typeof (error as { syscall?: unknown } | null)?.syscall === "string";

/** Compares strings by code units, independent of the locale. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
