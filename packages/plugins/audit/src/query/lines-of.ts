import { createReadStream } from "node:fs";
import { type Line, LineReader } from "../log/line-reader.js";

const PIECE_BYTES = 1024 * 1024;

/**
 * The lines of a file that end in a newline, piece by piece: at most a megabyte of them is in memory.
 *
 * @param from where to begin, in bytes: the beginning of a line
 * @param to where to end, in bytes: what was written after a look at the size is left for the next time
 */
export async function* linesOf(path: string, from = 0, to = Number.POSITIVE_INFINITY): AsyncGenerator<Line[]> {
  if (to <= from) return;
  const reader = new LineReader();
  for await (const piece of createReadStream(path, { start: from, end: to - 1, highWaterMark: PIECE_BYTES })) {
    const lines: Line[] = [];
    for (const line of reader.push(piece as Uint8Array)) {
      if (line.complete) lines.push({ ...line, offset: from + line.offset });
    }
    yield lines;
  }
}
