import { resolve } from "node:path";
import { amount, count, name } from "@suite/core/options";
import { checkOptions, type OptionChecks } from "../options.js";
import { KeyDirectory } from "./key-directory.js";
import { RecentKeys } from "./recent-keys.js";
import type { SubjectKeys } from "./subject-keys.js";

/** The options of keys of subjects: where they are kept, and how long in memory. */
export interface FileSubjectKeysOptions {
  /** The directory of the keys, made if it is not there, with mode 0700. Any number of processes may share it. Keep it where the log is not. */
  readonly dir: string;
  /**
   * The milliseconds after which a key in memory is looked up again. So long can another process go on with a key that was
   * erased: what it writes with it is erased too. Default 1000.
   */
  readonly recheckMs?: number;
  /** The number of keys that are kept in memory. Default 10,000. */
  readonly maxCached?: number;
}

const checks: OptionChecks<FileSubjectKeysOptions> = { dir: name, recheckMs: amount, maxCached: count };

/**
 * Keys of subjects in a directory, one file (mode 0600) each. Names of files tell nothing of subjects: one is a hash of the
 * subject, and holds the id of the key; the other is that id, and holds the key.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`; in use, `ERR_AUDIT_INVALID_KEY` or what the file system throws
 * @example
 * ```ts
 * audit({ subjects: fileSubjectKeys({ dir: "/var/lib/agent/subjects" }), policy: { content: "redacted" } });
 * ```
 */
export function fileSubjectKeys(options: FileSubjectKeysOptions): SubjectKeys {
  options = checkOptions("fileSubjectKeys", options, checks, ["dir"]);
  const { dir, recheckMs = 1000, maxCached = 10_000 } = options;
  const directory = new KeyDirectory(resolve(dir));
  const ofSubjects = new RecentKeys((subject) => directory.keyOf(subject), recheckMs, maxCached);
  const ofKids = new RecentKeys((kid) => directory.find(kid), recheckMs, maxCached);
  return {
    keyOf: (subject) => ofSubjects.get(subject),
    find: (kid) => ofKids.get(kid),
    async erase(subject) {
      const kid = await directory.erase(subject);
      ofSubjects.forget(subject);
      if (kid !== undefined) ofKids.forget(kid);
      return kid;
    },
  };
}
