import { toHex } from "@suite/kit";

/** First byte of a record's line, which is a JSON object. */
export const RECORD = 0x7b;
/** First byte of a checkpoint's line, which is a JSON string. */
export const CHECKPOINT = 0x22;

/** Maximum size of a stored record without its newline: the limit of an entry of C2SP tlog-tiles (a uint16). */
export const MAX_RECORD_BYTES = 0xffff;

/** Maximum size of a commit: records, checkpoint and newlines. A log writes at most about a quarter of it. */
export const MAX_COMMIT_BYTES = 4 * 1024 * 1024;

const EXTENSION = ".jsonl";
const logFile = /^audit-[0-9A-Za-z-]{1,80}\.jsonl$/;

/**
 * Maximum age of a file before a new one is started. Retention deletes only whole files that surely have no writer any
 * more.
 */
export const MAX_FILE_AGE = 24 * 60 * 60 * 1000;

/** Returns a unique file name: the time for readers, and 64 random bits. */
export const newFileName = (now: Date): string =>
  `audit-${now.toISOString().replaceAll(/[:.]/g, "-")}-${toHex(crypto.getRandomValues(new Uint8Array(8)))}${EXTENSION}`;

/** Returns true if a name is that of a log file. */
export const isLogFile = (name: string): boolean => logFile.test(name);

/** A log's identity: 128 random bits, as 32 hexadecimal digits. */
const logId = /^[0-9a-f]{32}$/;
export const newLogId = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));
export const isLogId = (text: string): boolean => logId.test(text);

/**
 * Returns the identity of a file's tree: the key's name, the log's id, and the file name without its extension, joined
 * by slashes.
 */
export const originOf = (keyName: string, log: string, fileName: string): string =>
  `${keyName}/${log}/${fileName.slice(0, -EXTENSION.length)}`;

/** Returns the log id in an origin. Returns `undefined` if it contains none, as in files of 0.1.0. */
export function logIdOf(origin: string): string | undefined {
  const log = origin.split("/").at(-2) ?? "";
  return isLogId(log) ? log : undefined;
}

/** Returns the file name in an origin. */
export const fileNameOf = (origin: string): string => `${origin.slice(origin.lastIndexOf("/") + 1)}${EXTENSION}`;
