import { toHex } from "../note/key.js";

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

/** The identity of a file's tree: the key's name, a slash, and the file without its extension. */
export const originOf = (keyName: string, fileName: string): string =>
  `${keyName}/${fileName.slice(0, -EXTENSION.length)}`;

/** The file of an origin. */
export const fileNameOf = (origin: string): string => `${origin.slice(origin.lastIndexOf("/") + 1)}${EXTENSION}`;
