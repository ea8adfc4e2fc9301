import { printable } from "@suite/kit/text";
import { type Found, readRecord } from "../query/found.js";
import { newRecords } from "../query/new-records.js";
import { logFilesOf, recordsOfFile, type StoredRecord } from "../query/records-of.js";
import { SignedEnds } from "../query/signed-end.js";
import type { ExitCode } from "./exit-code.js";
import { mapped, writeLines } from "./output.js";
import { row } from "./row.js";
import { recordReader } from "./subject-keys.js";
import { UNPROVEN } from "./unproven.js";
import { parse, wholeNumber } from "./usage.js";

const MAX_LINES = 10_000;

/**
 * `suite-audit tail DIR [--lines N] [--follow] [--json] [--unproven] [--keys DIR]`: prints the last records, newest
 * file last. Nothing is verified.
 */
export async function tail(args: readonly string[]): Promise<ExitCode> {
  const { path, last, has } = parse(args, ["lines", "keys"], ["follow", "json", "unproven"]);
  const lines = wholeNumber("lines", last("lines") ?? "10", 1, MAX_LINES);
  const reading = await recordReader(last("keys"));
  const show = has("json") ? jsonOf : row;
  await writeLines(mapped(reading.read(found(path, lines, has("follow"), has("unproven"))), show));
  return reading.exitCode();
}

const jsonOf = ({ line, unproven }: Found): string => (unproven ? `${UNPROVEN} ` : "") + printable(line);

async function* found(dir: string, count: number, following: boolean, unproven: boolean): AsyncGenerator<Found> {
  const files = await logFilesOf(dir);
  const newest: Found[] = [];
  const ends = await SignedEnds.of(dir);
  for (const { name, bytes } of files.toReversed()) {
    const end = await ends.endOf(name, bytes);
    newest.unshift(...(await lastRecords(dir, name, unproven ? bytes : end, end, count - newest.length)));
    if (newest.length >= count) break;
  }
  yield* newest;
  if (following) yield* newRecords(dir, files, unproven);
}

async function lastRecords(
  dir: string,
  file: string,
  bytes: number,
  signedEnd: number,
  count: number,
): Promise<Found[]> {
  const last: StoredRecord[] = [];
  for await (const records of recordsOfFile(dir, file, bytes)) {
    last.push(...records);
    last.splice(0, last.length - count);
  }
  return last.flatMap((record) => readRecord(record, signedEnd) ?? []);
}
