import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Checkpoint } from "../signing/checkpoint.js";
import { logFileNames } from "./directory.js";
import { MAX_COMMIT_BYTES } from "./format.js";
import { checkpointIn, linesBack } from "./lines-back.js";

/** The head of a file as found by another writer: its last checkpoint, or only its name. */
export interface Head {
  readonly file: string;
  readonly size: number;
  /** Merkle tree hash, base64. Absent if no checkpoint was found. */
  readonly root?: string;
  /** True if the file had been closed, so that nothing more was expected. */
  readonly closed?: true;
}

/** Maximum number of heads. Older files are covered by the opening records of these. */
export const MAX_HEADS = 256;
/** Windows syncs only files that are open for writing. Nothing is written. */
const READ_AND_SYNC = process.platform === "win32" ? "r+" : "r";

/**
 * Returns the heads of the newest files of a directory, except `currentFile`. Each is made durable before it is returned.
 *
 * @param leftFiles the acknowledged heads of finished files of this process, which take precedence over the disk
 */
export async function findHeads(
  dir: string,
  currentFile: string,
  leftFiles: ReadonlyMap<string, Head>,
): Promise<Head[]> {
  const heads: Head[] = [];
  // One after another: a hanging disk then blocks only one thread of the pool, and not the rest of the process.
  for (const name of (await logFileNames(dir))
    .filter((name) => name !== currentFile && !leftFiles.has(name))
    .slice(-MAX_HEADS)) {
    heads.push(await headOf(dir, name));
  }
  return [...heads, ...leftFiles.values()].slice(-MAX_HEADS);
}

/** Returns the origin of a file's last checkpoint, if there is one. */
export async function originIn(dir: string, name: string): Promise<string | undefined> {
  const file = await open(join(dir, name), "r");
  try {
    return (await lastCheckpoint(file, name))?.origin;
  } finally {
    await file.close();
  }
}

/** Returns the head of a file after making it durable. Returns only the name if the file cannot be read. */
export async function headOf(dir: string, name: string): Promise<Head> {
  try {
    const file = await open(join(dir, name), READ_AND_SYNC);
    try {
      const last = await lastCheckpoint(file, name);
      // A head that a power failure could still undo must not be recorded.
      await file.datasync();
      if (last === undefined) return { file: name, size: 0 };
      return { file: name, size: last.size, root: last.root, ...(last.closed && { closed: true }) };
    } finally {
      await file.close();
    }
  } catch {
    return { file: name, size: 0 };
  }
}

interface LastCheckpoint extends Checkpoint {
  /** True if the file was closed: nothing follows the checkpoint, and nothing was expected. */
  readonly closed: boolean;
}

/** Finds the last checkpoint of a file in its last bytes, as many as one commit can have. */
async function lastCheckpoint(file: FileHandle, name: string): Promise<LastCheckpoint | undefined> {
  const { size } = await file.stat();
  let last: Checkpoint | undefined;
  let first = true;
  for await (const { bytes } of linesBack(file, size, Math.max(0, size - MAX_COMMIT_BYTES))) {
    const found = checkpointIn(bytes, name);
    // A process closes its file with a commit without records.
    if (last) return { ...last, closed: found?.size === last.size && found.root === last.root };
    // Nothing follows the checkpoint that closes a file.
    if (found && !first) return { ...found, closed: false };
    last = found;
    first = false;
  }
  return last && { ...last, closed: false };
}
