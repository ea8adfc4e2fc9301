import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { type Checkpoint, parseCheckpoint } from "../note/checkpoint.js";
import { parseNote } from "../note/note.js";
import { logFileNames } from "./directory.js";
import { fileNameOf, MAX_COMMIT_BYTES } from "./format.js";
import { decodeCheckpoint } from "./line.js";

/** What a file says of another that it found: its last checkpoint, or no more than its name. */
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
  /** Nothing follows it, and nothing was to. */
  readonly closed: boolean;
}

async function lastCheckpoint(file: FileHandle, name: string): Promise<LastCheckpoint | undefined> {
  const { size } = await file.stat();
  for (const window of [16 * 1024, MAX_COMMIT_BYTES]) {
    const length = Math.min(size, window);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    // The first may be cut at its beginning, the last at its end.
    const whole = lines.slice(length === size ? 0 : 1, -1);
    for (let at = whole.length - 1; at >= 0; at--) {
      const last = checkpointIn(whole[at], name);
      if (last === undefined) continue;
      // A process that closes its file ends it with a commit of no record.
      const before = checkpointIn(whole[at - 1], name);
      const closed = before?.size === last.size && before.root === last.root && at === whole.length - 1;
      return { ...last, closed };
    }
    if (length === size) return undefined;
  }
  return undefined;
}

/** The checkpoint of this file in a line: a power failure can leave in it what stood in another file. */
function checkpointIn(line: string | undefined, name: string): Checkpoint | undefined {
  const note = line?.startsWith('"') ? parseNote(decodeCheckpoint(line)) : undefined;
  const checkpoint = note && parseCheckpoint(note.text);
  return checkpoint && fileNameOf(checkpoint.origin) === name ? checkpoint : undefined;
}
