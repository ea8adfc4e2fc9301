import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/**
 * Reads a stream of a command up to the mark after its output. The mark may be split across chunks. Later output is
 * discarded, so that processes that still write are not blocked.
 *
 * @param take receives the text as it arrives
 * @returns the exit code, or undefined if the stream ended without a mark
 */
export function untilMark(stream: Readable, mark: string, take: (text: string) => void): Promise<number | undefined> {
  const decoder = new StringDecoder("utf8");
  const begins = Buffer.from(`\0${mark} `);
  let held: Buffer = Buffer.alloc(0);
  return new Promise((resolve) => {
    const ended = (code: number | undefined): void => {
      stream.off("data", more).off("end", cutOff).off("error", cutOff).off("close", cutOff);
      stream.on("error", () => {}).resume();
      const rest = decoder.end();
      if (rest !== "") take(rest);
      resolve(code);
    };
    const cutOff = (): void => {
      take(decoder.write(held));
      ended(undefined);
    };
    const more = (chunk: Buffer): void => {
      const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const at = all.indexOf(begins);
      const end = at < 0 ? -1 : all.indexOf(0, at + begins.length);
      const textEnd = at < 0 ? all.length - beginOf(begins, all) : at;
      if (textEnd > 0) take(decoder.write(all.subarray(0, textEnd)));
      held = all.subarray(textEnd);
      if (end >= 0) ended(Number(all.toString("latin1", at + begins.length, end)));
    };
    stream.on("data", more).on("end", cutOff).on("error", cutOff).on("close", cutOff).resume();
  });
}

/** Returns the number of bytes at the end that may be the beginning of a mark. */
function beginOf(mark: Buffer, all: Buffer): number {
  for (let length = Math.min(mark.length - 1, all.length); length > 0; length--) {
    if (all.subarray(all.length - length).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}
