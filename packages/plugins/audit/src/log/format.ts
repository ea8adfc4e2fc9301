import { toHex } from "../signing/key.js";

/** First byte of a line that is a record, and of one that is a checkpoint: a JSON object, and a JSON string. */
export const RECORD = 0x7b;
export const CHECKPOINT = 0x22;

/** The most that a record may take as stored, without its newline: what an entry of C2SP tlog-tiles can have (a uint16). */
export const MAX_RECORD_BYTES = 0xffff;

/** No commit is larger: records, checkpoint and newlines. What a log writes is about a quarter of it. */
export const MAX_COMMIT_BYTES = 4 * 1024 * 1024;

const EXTENSION = ".jsonl";
const logFile = /^audit-[0-9A-Za-z-]{1,80}\.jsonl$/;

/** A file is followed by a new one after a day: retention deletes whole files, and only what surely nobody writes to. */
export const MAX_FILE_AGE = 24 * 60 * 60 * 1000;

/** A name that no other file has: the time to read it by, 64 random bits to be alone with it. */
export const newFileName = (now: Date): string =>
  `audit-${now.toISOString().replaceAll(/[:.]/g, "-")}-${toHex(crypto.getRandomValues(new Uint8Array(8)))}${EXTENSION}`;

/** Whether a name is one of a log file. */
export const isLogFile = (name: string): boolean => logFile.test(name);

/** A log's identity: 128 random bits, as 32 hexadecimal digits. */
const logId = /^[0-9a-f]{32}$/;
export const newLogId = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));
export const isLogId = (text: string): boolean => logId.test(text);

/** The identity of a file's tree: the key's name, the log's id, and the file without its extension, with slashes between. */
export const originOf = (keyName: string, log: string, fileName: string): string =>
  `${keyName}/${log}/${fileName.slice(0, -EXTENSION.length)}`;

/** The log of an origin; undefined where it names none, as files of 0.1.0 did not. */
export function logIdOf(origin: string): string | undefined {
  const log = origin.split("/").at(-2) ?? "";
  return isLogId(log) ? log : undefined;
}

/** The file of an origin. */
export const fileNameOf = (origin: string): string => `${origin.slice(origin.lastIndexOf("/") + 1)}${EXTENSION}`;
