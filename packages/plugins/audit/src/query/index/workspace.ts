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
 * The directory of a log's index. It is in the user's cache and never in the log's directory, which is evidence and may
 * be read-only. A published index is only replaced as a whole. Each query uses files with unique names: any number of
 * queries may run at once without waiting, and a killed query damages nothing.
 */
export class Workspace {
  readonly #shared: string | undefined;
  readonly #room: string;

  private constructor(shared: string | undefined, room: string) {
    this.#shared = shared;
    this.#room = room;
  }

  /** Opens a workspace. If the cache cannot be written, the index is deleted after the query. */
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

  /** Returns the path of a file that only this query uses. */
  path(name: string): string {
    return join(this.#room, name);
  }

  /**
   * Links the published index to a path of this query. It must not be written to. Returns `undefined` if there is none,
   * or if it is not byte for byte what was published.
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

  /** Publishes an index that is not written to any more. If that fails, only this query uses it. */
  async publish(path: string): Promise<void> {
    if (this.#shared === undefined) return;
    const name = this.path("published.db");
    await linkOrCopy(path, name)
      .then(() => seal(name))
      .then(() => sync(name))
      .then(() => rename(name, join(this.#shared ?? "", PUBLISHED)))
      .catch(() => {});
  }

  /** Deletes the published index because it is not valid. */
  async discard(): Promise<void> {
    if (this.#shared !== undefined) await rm(join(this.#shared, PUBLISHED), { force: true });
  }

  async close(): Promise<void> {
    await rm(this.#room, { recursive: true, force: true });
  }
}

/** Links a file that is never written to. Copies it if the file system has no links. */
const linkOrCopy = (from: string, to: string): Promise<void> => link(from, to).catch(() => copyFile(from, to));

function cacheOf(log: string): string {
  const home = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache");
  return join(home, "suite-audit", createHash("sha256").update(log).digest("hex").slice(0, 32));
}

/** Deletes files of killed queries and of other versions. */
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
