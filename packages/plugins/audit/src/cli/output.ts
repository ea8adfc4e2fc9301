import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printable } from "@suite/core/terminal";

/** Prints one line. */
export const print = (line: string): void => console.log(printable(line));

/**
 * Writes lines as they come, in constant memory: as they are into a new file or a pipe, escaped to a terminal.
 *
 * @param lines without their line ends
 * @param path never written over; standard output where there is none
 */
export async function writeLines(lines: AsyncIterable<string>, path?: string, end = "\n"): Promise<void> {
  const target = path === undefined ? process.stdout : createWriteStream(path, { flags: "wx", mode: 0o600 });
  const safe = path === undefined && process.stdout.isTTY;
  const text = safe ? (line: string) => `${printable(line)}\n` : (line: string) => line + end;
  await pipeline(Readable.from(mapped(lines, text)), target, { end: path !== undefined });
}

/** Each thing as a line, as it comes. */
export async function* mapped<T>(things: AsyncIterable<T>, lineOf: (thing: T) => string): AsyncGenerator<string> {
  for await (const thing of things) yield lineOf(thing);
}
