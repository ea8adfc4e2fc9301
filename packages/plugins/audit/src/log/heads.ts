import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { parseCheckpoint } from "../note/checkpoint.js";
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
}

/** Older ones were named by these when they began. */
const MAX_HEADS = 256;
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

async function headOf(dir: string, name: string): Promise<Head> {
  try {
    const file = await open(join(dir, name), READ_AND_SYNC);
    try {
      const last = await lastCheckpoint(file, name);
      // A head that a power failure could still take back must not be testified to.
      await file.datasync();
      return last ? { file: name, size: last.size, root: last.root } : { file: name, size: 0 };
    } finally {
      await file.close();
    }
  } catch {
    return { file: name, size: 0 };
  }
}

async function lastCheckpoint(file: FileHandle, name: string) {
  const { size } = await file.stat();
  for (const window of [16 * 1024, MAX_COMMIT_BYTES]) {
    const length = Math.min(size, window);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    // The first may be cut at its beginning, the last at its end.
    for (const line of lines.slice(length === size ? 0 : 1, -1).reverse()) {
      const note = line.startsWith('"') ? parseNote(decodeCheckpoint(line)) : undefined;
      const checkpoint = note && parseCheckpoint(note.text);
      // A power failure can leave in it what stood in another file.
      if (checkpoint && fileNameOf(checkpoint.origin) === name) return checkpoint;
    }
    if (length === size) return undefined;
  }
  return undefined;
}
