import type { FileHandle } from "node:fs/promises";
import { type Checkpoint, parseCheckpoint } from "../signing/checkpoint.js";
import { parseNote } from "../signing/note.js";
import { CHECKPOINT, fileNameOf, MAX_COMMIT_BYTES } from "./format.js";
import { decodeCheckpoint } from "./line.js";

/** A line of a file that ends in a newline, without it. */
export interface LineBack {
  readonly bytes: Buffer;
  /** The place of its first byte in the file. */
  readonly offset: number;
}

/** Most checkpoints are found in so many bytes at the end of a file; then so many are read at a time. */
const FIRST_BYTES = 16 * 1024;
const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The whole lines among the first `to` bytes of a file, the last one first: as much is read as is asked for. One that is longer
 * than a commit is passed over.
 *
 * @param least where it ends: no line that begins before it
 */
export async function* linesBack(file: FileHandle, to: number, least = 0): AsyncGenerator<LineBack> {
  let line: Buffer[] | undefined;
  let held = 0;
  for (let end = to, size = FIRST_BYTES; end > least; size = PIECE_BYTES) {
    const from = Math.max(least, end - size);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(end - from), 0, end - from, from);
    // It was cut meanwhile.
    if (bytesRead < end - from) return;
    let stop = buffer.length;
    for (let newline = lastNewline(buffer, stop); newline >= 0; newline = lastNewline(buffer, stop)) {
      const own = buffer.subarray(newline + 1, stop);
      if (line) yield { bytes: line.length === 0 ? own : Buffer.concat([own, ...line]), offset: from + newline + 1 };
      [line, held, stop] = [[], 0, newline];
    }
    held += stop;
    if (held > MAX_COMMIT_BYTES) line = undefined;
    line?.unshift(buffer.subarray(0, stop));
    end = from;
  }
  if (line && least === 0) yield { bytes: Buffer.concat(line), offset: 0 };
}

const lastNewline = (buffer: Buffer, before: number): number =>
  before === 0 ? -1 : buffer.lastIndexOf(NEWLINE, before - 1);

/** A checkpoint in a file. Nothing is verified. */
export interface FoundCheckpoint extends Checkpoint {
  /** The signed note. */
  readonly note: string;
}

/** The checkpoint of this file in a line: a power failure can leave in it what stood in another file. */
export function checkpointIn(line: Buffer, name: string): FoundCheckpoint | undefined {
  if (line[0] !== CHECKPOINT) return undefined;
  const note = decodeCheckpoint(line.toString());
  const signed = parseNote(note);
  const checkpoint = signed && parseCheckpoint(signed.text);
  return checkpoint && fileNameOf(checkpoint.origin) === name ? { ...checkpoint, note } : undefined;
}
