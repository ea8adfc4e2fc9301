import { access } from "node:fs/promises";
import { printable } from "@suite/kit/text";
import { decrypted } from "../query/decrypted.js";
import type { Found } from "../query/found.js";
import { fileSubjectKeys } from "../subjects/file-keys.js";
import type { SubjectKeys } from "../subjects/subject-keys.js";
import type { ExitCode } from "./exit-code.js";

/** Opens an existing directory of subjects' keys. With a wrong path all keys would look erased. */
export async function subjectKeysIn(dir: string): Promise<SubjectKeys> {
  await access(dir);
  return fileSubjectKeys({ dir });
}

/** Reads records for a command, decrypted if keys were passed. */
export interface RecordReader {
  read(records: AsyncIterable<Found>): AsyncIterable<Found>;
  /**
   * Returns the exit code: 1 if a key failed to decrypt content that was encrypted with it, which is a problem in the
   * log.
   */
  exitCode(): ExitCode;
}

/** @param dir the value of `--keys`, if any */
export async function recordReader(dir: string | undefined): Promise<RecordReader> {
  if (dir === undefined) return { read: (records) => records, exitCode: () => 0 };
  const keys = await subjectKeysIn(dir);
  let failed = false;
  const warn = ({ message }: Error): void => {
    failed = true;
    console.error(printable(message));
  };
  return { read: (records) => decrypted(records, keys, warn), exitCode: () => (failed ? 1 : 0) };
}
