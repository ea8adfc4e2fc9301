import { stat } from "node:fs/promises";
import { join } from "node:path";
import { MAX_FILE_AGE } from "../log/format.js";

const DAY = 24 * 60 * 60 * 1000;

/** The time after which a file has no writer any more: twice the maximum age of a file, in case clocks were set. */
export const ABANDONED_AGE = 2 * MAX_FILE_AGE;

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY);

/**
 * Returns the last time at which records can have been written to a file, in milliseconds. It is a day after the time
 * in its name, which each checkpoint signs, or the last change in the file system, whichever is later. Touching a file
 * cannot make it older. Returns NaN for a name that is not a log's.
 */
export async function writtenUntil(dir: string, file: string): Promise<number> {
  return Math.max(begunAt(file) + MAX_FILE_AGE, (await stat(join(dir, file))).mtimeMs);
}

function begunAt(file: string): number {
  const [, date, hours, minutes, seconds, milliseconds] =
    /^audit-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/.exec(file) ?? [];
  return Date.parse(`${date}${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}
