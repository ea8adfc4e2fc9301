import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { endsOpen } from "../redact/table.js";
import { Progress } from "./progress.js";
import { UsageError } from "./usage.js";

/** The amount that is read at a time, in bytes. */
const PIECE = 256 * 1024;

/** Returns the name of a file for messages. `-` is standard input. */
export const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/**
 * Yields the text of a file, or of standard input, in chunks. Bytes that are invalid in this encoding are an error,
 * since text that cannot be read cannot be treated.
 *
 * @throws UsageError
 */
export async function* textOf(file: string, encoding: string): AsyncGenerator<string, void> {
  const decoder = decoderOf(encoding);
  const size = file === "-" ? undefined : (await stat(file)).size;
  const progress = new Progress(nameOf(file), size);
  let last = "";
  const bytes = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: PIECE });
  try {
    for await (const piece of bytes as AsyncIterable<Uint8Array>) {
      progress.add(piece.length);
      const text = decoded(() => decoder.decode(piece, { stream: true }), file, encoding);
      if (isWide(last + text)) throw wide(file);
      last = text.slice(-longestWide);
      yield text;
    }
    yield decoded(() => decoder.decode(), file, encoding);
  } finally {
    progress.end();
  }
}

/** Returns true if this is a name of UTF-8. */
export const isUtf8 = (encoding: string): boolean => decoderOf(encoding).encoding === "utf-8";

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch {
    throw new UsageError("--encoding takes the name of an encoding, such as utf-8, latin1 or utf-16le.");
  }
}

/** Characters of two or four bytes each, read one byte at a time: UTF-16 and UTF-32 without a byte order mark. */
const isWide = (text: string): boolean => text.includes("\0") && /[^\0]\0{1,3}[^\0]\0/.test(text);
const longestWide = 6;

const wide = (file: string): UsageError =>
  new UsageError(`${nameOf(file)} has zero bytes between its characters: use --encoding utf-16le or utf-16be.`);

function decoded(decode: () => string, file: string, encoding: string): string {
  try {
    return decode();
  } catch {
    throw new UsageError(`${nameOf(file)} is not ${encoding} text: set its encoding with --encoding.`);
  }
}

/** The longest line of JSON, in UTF-16 units. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Yields the lines of a string, each with its line break. */
export async function* linesOf(text: AsyncIterable<string>, file: string): AsyncGenerator<string, void> {
  let pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    let from = 0;
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", from)) {
      yield pieces.join("") + piece.slice(from, at + 1);
      pieces = [];
      length = 0;
      from = at + 1;
    }
    pieces.push(piece.slice(from));
    length += piece.length - from;
    if (length > LONGEST_LINE) throw new UsageError(`${nameOf(file)} has a line of over ${LONGEST_LINE} characters.`);
  }
  if (length > 0) yield pieces.join("");
}

/** The length after which records of a table are yielded although a quote is open, in UTF-16 units. */
const LONGEST_RECORDS = 1024 * 1024;

/** Yields lines in groups that contain no part of a quoted cell. */
export async function* recordsOf(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held: string[] = [];
  let length = 0;
  let open = false;
  for await (const line of lines) {
    held.push(line);
    length += line.length;
    open = endsOpen(line, open);
    if (open && length < LONGEST_RECORDS) continue;
    yield held.join("");
    held = [];
    length = 0;
    open = false;
  }
  if (length > 0) yield held.join("");
}
