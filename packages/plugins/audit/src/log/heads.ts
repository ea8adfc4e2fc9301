import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { parseCheckpoint } from "../note/checkpoint.js";
import { parseNote } from "../note/note.js";
import { listLogFiles } from "./directory.js";

/** What a file says of another that it found: its last checkpoint, or no more than its name. */
export interface Head {
  readonly file: string;
  readonly size: number;
  /** Merkle tree hash, base64; absent where no checkpoint was found. */
  readonly root?: string;
}

/** The last commit and its checkpoint fit in here: see MAX_BATCH_BYTES. */
const WINDOW = 4 * 1024 * 1024;
/** Older ones were named by these when they began. */
const MAX_HEADS = 256;

/** The heads of the newest files of a directory, except `own`. Each is made durable before it is named. */
export async function findHeads(dir: string, own: string): Promise<Head[]> {
  const found = (await listLogFiles(dir)).filter(({ name }) => name !== own).slice(-MAX_HEADS);
  return Promise.all(found.map(({ name }) => headOf(dir, name)));
}

async function headOf(dir: string, name: string): Promise<Head> {
  try {
    const file = await open(join(dir, name), "r");
    try {
      const last = await lastCheckpoint(file);
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

async function lastCheckpoint(file: FileHandle) {
  const { size } = await file.stat();
  for (const window of [16 * 1024, WINDOW]) {
    const length = Math.min(size, window);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    // The first may be cut at its beginning, the last at its end.
    for (const line of lines.slice(length === size ? 0 : 1, -1).reverse()) {
      const checkpoint = line.startsWith('"') ? decode(line) : undefined;
      if (checkpoint) return checkpoint;
    }
    if (length === size) return undefined;
  }
  return undefined;
}

function decode(line: string) {
  try {
    const note = parseNote(JSON.parse(line) as string);
    return note && parseCheckpoint(note.text);
  } catch {
    return undefined;
  }
}
