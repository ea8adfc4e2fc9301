import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Checkpoint } from "../signing/checkpoint.js";
import { logFileNames } from "./directory.js";
import { MAX_COMMIT_BYTES } from "./format.js";
import { checkpointIn, linesBack } from "./lines-back.js";

/** The head of a file, as another says that it found it: its last checkpoint, or no more than its name. */
export interface Head {
  readonly file: string;
  readonly size: number;
  /** Merkle tree hash, base64; absent where no checkpoint was found. */
  readonly root?: string;
  /** The file had been closed: nothing more was to come. */
  readonly closed?: true;
}

/** Older ones were named by these when they began. */
export const MAX_HEADS = 256;
/** Windows syncs only what may be written to. Nothing is. */
const READ_AND_SYNC = process.platform === "win32" ? "r+" : "r";

/**
 * The heads of the newest files of a directory, except `own`. Each is made durable before it is named.
 *
 * @param left what this process has acknowledged in files that it left. It counts more than what is found there, or not found.
 */
export async function findHeads(dir: string, own: string, left: ReadonlyMap<string, Head>): Promise<Head[]> {
  const heads: Head[] = [];
  // One after the other: a disk that hangs takes one thread of the pool, and leaves the others to the rest of the process.
  for (const name of (await logFileNames(dir)).filter((name) => name !== own && !left.has(name)).slice(-MAX_HEADS)) {
    heads.push(await headOf(dir, name));
  }
  return [...heads, ...left.values()].slice(-MAX_HEADS);
}

/** The origin of a file's last checkpoint, if there is one. */
export async function originIn(dir: string, name: string): Promise<string | undefined> {
  const file = await open(join(dir, name), "r");
  try {
    return (await lastCheckpoint(file, name))?.origin;
  } finally {
    await file.close();
  }
}

/** The head of a file, made durable before it is told; of a file that cannot be read, no more than its name. */
export async function headOf(dir: string, name: string): Promise<Head> {
  try {
    const file = await open(join(dir, name), READ_AND_SYNC);
    try {
      const last = await lastCheckpoint(file, name);
      // A head that a power failure could still take back must not be testified to.
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
  /** Whether the file was closed: nothing follows the checkpoint, and nothing was to. */
  readonly closed: boolean;
}

/** The last checkpoint of a file, looked for in as much as one commit can hold. */
async function lastCheckpoint(file: FileHandle, name: string): Promise<LastCheckpoint | undefined> {
  const { size } = await file.stat();
  let last: Checkpoint | undefined;
  let first = true;
  for await (const { bytes } of linesBack(file, size, Math.max(0, size - MAX_COMMIT_BYTES))) {
    const found = checkpointIn(bytes, name);
    // A process that closes its file ends it with a commit of no record.
    if (last) return { ...last, closed: found?.size === last.size && found.root === last.root };
    // Behind what closes a file nothing follows.
    if (found && !first) return { ...found, closed: false };
    last = found;
    first = false;
  }
  return last && { ...last, closed: false };
}
