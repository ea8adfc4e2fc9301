import { randomBytes } from "node:crypto";
import { KEY_BYTES, type SubjectKeys, subjectKid } from "./subject-keys.js";

/** Keys that live as long as the process: for tests, and for content that nobody is to read after it. */
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
