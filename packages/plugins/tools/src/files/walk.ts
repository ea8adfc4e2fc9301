import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { stateBelow } from "./below.js";
import type { PathTest } from "./patterns.js";

/** The files below a root that may be looked at. */
export interface Visible {
  readonly root: string;
  readonly hidden: boolean;
  readonly ignored: readonly PathTest[];
}

/** The bounds of one search, which all its parts spend. */
export class Bounds {
  #entries: number;
  readonly #until: number;
  readonly #signal: AbortSignal;
  /** The reason why the search stopped before its end, for the model. */
  stopped: string | undefined;

  constructor(maxEntries: number, timeout: number, signal: AbortSignal) {
    this.#entries = maxEntries;
    this.#until = performance.now() + timeout;
    this.#signal = signal;
  }

  /** Spends an entry of a folder: whether there is one left. Throws where the run was told to stop. */
  spend(entries = 1): boolean {
    this.#signal.throwIfAborted();
    this.#entries -= entries;
    if (this.#entries < 0) this.stopped ??= "there are too many files";
    else if (performance.now() > this.#until) this.stopped ??= "it took too long";
    return this.stopped === undefined;
  }
}

/** Whether a path may be looked at: no name of it is hidden, and neither it nor a folder round it is ignored. */
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

/** The visible plain files below a folder, by path, folder by folder. Links are not followed. */
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
    // A folder that becomes a link behind this lists names whose files are then found not to be here.
    if (!(await stateBelow(root, folder))?.isDirectory()) return [];
    for await (const entry of await opendir(join(root, folder))) {
      if (!bounds.spend()) break;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isVisibleAt(hidden, ignored, entry.name, path)) entries.push(entry);
    }
  } catch (error) {
    if (isOfSystem(error)) return []; // gone, or not readable
    throw error;
  }
  // As their paths sort: a folder by its name with the slash behind it.
  const key = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  return entries.sort((a, b) => compare(key(a), key(b)));
}

const isOfSystem = (error: unknown): boolean => typeof (error as { syscall?: unknown } | null)?.syscall === "string";

/** The order of texts by their code units, the same everywhere. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
