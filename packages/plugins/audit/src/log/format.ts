import { toHex } from "../note/key.js";

/** First byte of a line that is a record, and of one that is a checkpoint: a JSON object, and a JSON string. */
export const RECORD = 0x7b;
export const CHECKPOINT = 0x22;

const EXTENSION = ".jsonl";
const logFile = /^audit-[0-9A-Za-z-]{1,80}\.jsonl$/;

/** A name that no other file has: the time to read it by, 64 random bits to be alone with it. */
export const newFileName = (now: Date): string =>
  `audit-${now.toISOString().replaceAll(/[:.]/g, "-")}-${toHex(crypto.getRandomValues(new Uint8Array(8)))}${EXTENSION}`;

export const isLogFile = (name: string): boolean => logFile.test(name);

/** The identity of a file's tree: the key's name, a slash, and the file without its extension. */
export const originOf = (keyName: string, fileName: string): string =>
  `${keyName}/${fileName.slice(0, -EXTENSION.length)}`;

/** The file of an origin. */
export const fileNameOf = (origin: string): string => `${origin.slice(origin.lastIndexOf("/") + 1)}${EXTENSION}`;
