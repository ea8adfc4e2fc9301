import { randomBytes } from "node:crypto";
import { KEY_BYTES, type SubjectKeys, subjectKid } from "./subject-keys.js";

/**
 * Stores keys in memory, as long as the process lives: for tests, and for content that must not be readable afterwards.
 */
export function memorySubjectKeys(): SubjectKeys {
  const kids = new Map<string, string>();
  const keys = new Map<string, Uint8Array>();
  return {
    keyOf(subject) {
      const known = keys.get(kids.get(subject) ?? "");
      if (known !== undefined) return known;
      const key = randomBytes(KEY_BYTES);
      const kid = subjectKid(key);
      kids.set(subject, kid);
      keys.set(kid, key);
      return key;
    },
    find: (kid) => keys.get(kid),
    erase(subject) {
      const kid = kids.get(subject);
      if (kid === undefined) return undefined;
      kids.delete(subject);
      keys.delete(kid);
      return kid;
    },
  };
}
