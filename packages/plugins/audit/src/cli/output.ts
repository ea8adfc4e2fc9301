import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printable } from "@suite/kit/text";

/** Prints one line, with control characters escaped. */
export const print = (line: string): void => console.log(printable(line));

/**
 * Writes lines in constant memory: unchanged to a new file or a pipe, escaped to a terminal.
 *
 * @param lines without their line ends
 * @param path a new file, never overwritten. Default: standard output
 */
export async function writeLines(lines: AsyncIterable<string>, path?: string, end = "\n"): Promise<void> {
  const target = path === undefined ? process.stdout : createWriteStream(path, { flags: "wx", mode: 0o600 });
  const safe = path === undefined && process.stdout.isTTY;
  const text = safe ? (line: string) => `${printable(line)}\n` : (line: string) => line + end;
  await pipeline(Readable.from(mapped(lines, text)), target, { end: path !== undefined });
}

/** Converts each item to a line, one at a time. */
export async function* mapped<T>(things: AsyncIterable<T>, lineOf: (thing: T) => string): AsyncGenerator<string> {
  for await (const thing of things) yield lineOf(thing);
}
