import { resolve } from "node:path";
import { amount, count, name } from "@suite/kit/options";
import { checkOptions, type OptionChecks } from "../options.js";
import { KeyDirectory } from "./key-directory.js";
import { RecentKeys } from "./recent-keys.js";
import type { SubjectKeys } from "./subject-keys.js";

/** The options of `fileSubjectKeys`. */
export interface FileSubjectKeysOptions {
  /**
   * The directory of the keys, created with mode 0700 if missing. Any number of processes may share it. Do not keep it
   * in the place of the log.
   */
  readonly dir: string;
  /**
   * Milliseconds after which a cached key is read again. For this time another process can still use an erased key.
   * Records that it writes with the key are erased too. Default 1000.
   */
  readonly recheckMs?: number;
  /** Maximum number of cached keys. Default 10,000. */
  readonly maxCached?: number;
}

const checks: OptionChecks<FileSubjectKeysOptions> = { dir: name, recheckMs: amount, maxCached: count };

/**
 * Stores keys of subjects in a directory, one file (mode 0600) per entry. File names do not reveal the subject: one
 * file is named by a hash of the subject and contains the id of the key, the other is named by that id and contains the
 * key.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`; in use, `ERR_AUDIT_INVALID_KEY` or errors of the file system
 *
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
