import { createHash } from "node:crypto";
import { copyFile, link, mkdir, mkdtemp, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { INDEX_VERSION } from "./schema.js";
import { isSealed, seal } from "./seal.js";

const PUBLISHED = `v${INDEX_VERSION}.db`;
const ROOM = "query-";
const DAY_MS = 86_400_000;

/**
 * The place where the index of a log is kept: the user's cache, never the log's own directory, which is evidence and may be read-only.
 * What is published there is never changed again, only replaced whole, and each query works under a name of its own: any
 * number may run at once without waiting, and one that is killed spoils nothing.
 */
export class Workspace {
  readonly #shared: string | undefined;
  readonly #room: string;

  private constructor(shared: string | undefined, room: string) {
    this.#shared = shared;
    this.#room = room;
  }

  /** Opens a workspace. Without a cache that can be written, the index lives as long as the query. */
  static async open(dir: string): Promise<Workspace> {
    const shared = cacheOf(await realpath(dir));
    try {
      await mkdir(shared, { recursive: true, mode: 0o700 });
      const room = await mkdtemp(join(shared, ROOM));
      await sweep(shared);
      return new Workspace(shared, room);
    } catch {
      return new Workspace(undefined, await mkdtemp(join(tmpdir(), "suite-audit-")));
    }
  }

  /** A file of this query's own. */
  path(name: string): string {
    return join(this.#room, name);
  }

  /**
   * The published index under a name of this query's own; not to be written to. Undefined where there is none, or where it is
   * not, byte for byte, what was published.
   */
  async take(): Promise<string | undefined> {
    if (this.#shared === undefined) return undefined;
    const path = this.path("taken.db");
    try {
      await linkOrCopy(join(this.#shared, PUBLISHED), path);
      return (await isSealed(path)) ? path : undefined;
    } catch {
      return undefined;
    }
  }

  /** Publishes an index, of which nothing is written any more. Where that fails, only this query has it. */
  async publish(path: string): Promise<void> {
    if (this.#shared === undefined) return;
    const name = this.path("published.db");
    await linkOrCopy(path, name)
      .then(() => seal(name))
      .then(() => sync(name))
      .then(() => rename(name, join(this.#shared ?? "", PUBLISHED)))
      .catch(() => {});
  }

  /** Takes the published index away: something about it is odd. */
  async discard(): Promise<void> {
    if (this.#shared !== undefined) await rm(join(this.#shared, PUBLISHED), { force: true });
  }

  async close(): Promise<void> {
    await rm(this.#room, { recursive: true, force: true });
  }
}

/** Another name for a file that nobody writes to; a copy where the file system gives none. */
const linkOrCopy = (from: string, to: string): Promise<void> => link(from, to).catch(() => copyFile(from, to));

function cacheOf(log: string): string {
  const home = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache");
  return join(home, "suite-audit", createHash("sha256").update(log).digest("hex").slice(0, 32));
}

/** Takes away what killed queries and other versions left. */
async function sweep(shared: string): Promise<void> {
  for (const name of await readdir(shared)) {
    const path = join(shared, name);
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (name !== PUBLISHED && age > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
