import type { FileHandle } from "node:fs/promises";
import { type Checkpoint, parseCheckpoint } from "../signing/checkpoint.js";
import { parseNote } from "../signing/note.js";
import { CHECKPOINT, fileNameOf, MAX_COMMIT_BYTES } from "./format.js";
import { decodeCheckpoint } from "./line.js";

/** A complete line of a file, without its newline. */
export interface LineBack {
  readonly bytes: Buffer;
  /** The offset of its first byte in the file. */
  readonly offset: number;
}

/** The size of the first read, which finds most checkpoints, and of further reads. */
const FIRST_BYTES = 16 * 1024;
const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads the complete lines among the first `to` bytes of a file, the last one first, and only as many as are requested.
 * Skips a line that is longer than a commit.
 *
 * @param least the offset at which it stops: no line that begins before it is returned
 */
export async function* linesBack(file: FileHandle, to: number, least = 0): AsyncGenerator<LineBack> {
  let line: Buffer[] | undefined;
  let held = 0;
  for (let end = to, size = FIRST_BYTES; end > least; size = PIECE_BYTES) {
    const from = Math.max(least, end - size);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(end - from), 0, end - from, from);
    // The file was cut in the meantime.
    if (bytesRead < end - from) return;
    let stop = buffer.length;
    for (let newline = lastNewline(buffer, stop); newline >= 0; newline = lastNewline(buffer, stop)) {
      const piece = buffer.subarray(newline + 1, stop);
      if (line)
        yield { bytes: line.length === 0 ? piece : Buffer.concat([piece, ...line]), offset: from + newline + 1 };
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

/** A checkpoint found in a file. Nothing is verified. */
export interface FoundCheckpoint extends Checkpoint {
  /** The signed note. */
  readonly note: string;
}

/** Returns the checkpoint of this file in a line. A power failure can leave data of another file in it. */
export function checkpointIn(line: Buffer, name: string): FoundCheckpoint | undefined {
  if (line[0] !== CHECKPOINT) return undefined;
  const note = decodeCheckpoint(line.toString());
  const signed = parseNote(note);
  const checkpoint = signed && parseCheckpoint(signed.text);
  return checkpoint && fileNameOf(checkpoint.origin) === name ? { ...checkpoint, note } : undefined;
}
