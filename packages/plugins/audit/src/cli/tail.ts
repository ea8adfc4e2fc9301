import { createReadStream } from "node:fs";
import { join } from "node:path";
import { AuditError } from "../errors.js";
import { listLogFiles } from "../log/directory.js";
import { RECORD } from "../log/format.js";
import { LineReader } from "../verify/lines.js";
import type { ExitCode } from "./main.js";
import { parse, UsageError } from "./usage.js";

const MAX_LINES = 10_000;

/** `suite-audit tail DIR [--lines N]`: the last records of each file, newest file last. Nothing is verified. */
export async function tail(args: readonly string[]): Promise<ExitCode> {
  const { path, last } = parse(args, ["lines"]);
  const lines = Number(last("lines") ?? 10);
  if (!Number.isInteger(lines) || lines < 1 || lines > MAX_LINES) {
    throw new UsageError(`--lines takes a whole number from 1 to ${MAX_LINES}.`);
  }
  const files = await listLogFiles(path);
  if (files.length === 0) throw new AuditError("ERR_AUDIT_NO_LOG", `${path} holds no log: no file audit-*.jsonl.`);
  const newest: string[] = [];
  for (const { name } of files.reverse()) {
    newest.unshift(...(await lastRecords(join(path, name), lines - newest.length)));
    if (newest.length >= lines) break;
  }
  for (const line of newest) console.log(printable(line));
  return 0;
}

async function lastRecords(path: string, count: number): Promise<string[]> {
  const found: string[] = [];
  const reader = new LineReader();
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    for (const { bytes } of reader.push(piece as Uint8Array)) {
      if (bytes[0] !== RECORD) continue;
      found.push(new TextDecoder().decode(bytes));
      if (found.length > count) found.shift();
    }
  }
  return found;
}

/** JSON escapes control characters below 32. A terminal also obeys some above, and lets some turn the text around. */
const printable = (line: string): string => line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
