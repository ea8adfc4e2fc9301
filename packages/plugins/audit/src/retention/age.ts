import { stat } from "node:fs/promises";
import { join } from "node:path";
import { MAX_FILE_AGE } from "../log/format.js";

const DAY = 24 * 60 * 60 * 1000;

/** The time after which nobody writes to a file any more: twice what a process does, for clocks that were set. */
export const SURELY_LEFT = 2 * MAX_FILE_AGE;

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY);

/**
 * The last time at which records can have been written to a file, in milliseconds: for a day after the time in its name, which is signed
 * with each checkpoint, or until the file system saw it change. A file that was touched is no older for it. NaN where the
 * name is not one of a log's own.
 */
export async function writtenUntil(dir: string, file: string): Promise<number> {
  return Math.max(begunAt(file) + MAX_FILE_AGE, (await stat(join(dir, file))).mtimeMs);
}

function begunAt(file: string): number {
  const [, date, hours, minutes, seconds, milliseconds] =
    /^audit-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/.exec(file) ?? [];
  return Date.parse(`${date}${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}
