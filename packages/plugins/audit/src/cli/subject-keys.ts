import { access } from "node:fs/promises";
import { printable } from "@suite/core/terminal";
import { decrypted } from "../query/decrypted.js";
import type { Found } from "../query/found.js";
import { fileSubjectKeys } from "../subjects/file-keys.js";
import type { SubjectKeys } from "../subjects/subject-keys.js";
import type { ExitCode } from "./exit-code.js";

/** The keys of subjects in a directory that is there: of a wrong path, all keys would look erased. */
export async function subjectKeysIn(dir: string): Promise<SubjectKeys> {
  await access(dir);
  return fileSubjectKeys({ dir });
}

/** A reader of the records that a command shows: in clear where it was given keys. */
export interface RecordReader {
  read(records: AsyncIterable<Found>): AsyncIterable<Found>;
  /** The exit code: 1 where a key did not open what is encrypted with it: the log has a problem. */
  exitCode(): ExitCode;
}

/** @param dir what `--keys` was given, if it was */
export async function recordReader(dir: string | undefined): Promise<RecordReader> {
  if (dir === undefined) return { read: (records) => records, exitCode: () => 0 };
  const keys = await subjectKeysIn(dir);
  let failed = false;
  const tell = ({ message }: Error): void => {
    failed = true;
    console.error(printable(message));
  };
  return { read: (records) => decrypted(records, keys, tell), exitCode: () => (failed ? 1 : 0) };
}
