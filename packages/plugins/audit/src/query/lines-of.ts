import { createReadStream } from "node:fs";
import { type Line, LineReader } from "../log/line-reader.js";

const PIECE_BYTES = 1024 * 1024;

/**
 * Reads the complete lines of a file, piece by piece, with at most a megabyte in memory.
 *
 * @param from the first byte, at the beginning of a line
 * @param to the end, in bytes; data after it is left for the next read
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
