import { createHash } from "node:crypto";
import type { Awaitable } from "@suite/core";
import type { Check } from "@suite/kit/options";
import { checkArgument } from "../options.js";

/**
 * Stores one key per subject: the person or other party whose content a record contains. Without the key, the content
 * is erased.
 */
export interface SubjectKeys {
  /**
   * Returns the key of a subject, 32 random bytes. It is created on first use and durable before it is returned.
   * Concurrent callers in any process get the same key. An error has the same effect as a log that cannot be written.
   */
  keyOf(subject: string): Awaitable<Uint8Array>;
  /** Returns the key with this id (see `subjectKid`), or `undefined` if it was erased. */
  find(kid: string): Awaitable<Uint8Array | undefined>;
  /** Deletes the key of a subject permanently. Returns its id, or `undefined` if there was none. */
  erase(subject: string): Awaitable<string | undefined>;
}

/** The length of a subject's key in bytes. */
export const KEY_BYTES = 32;

/**
 * Returns the id of a subject's key for records: 16 hex digits of a SHA-256 of the key. It does not reveal the subject.
 */
export function subjectKid(key: Uint8Array): string {
  checkArgument("subjectKid", "key", key, bytes);
  return createHash("sha256").update("suite-audit subject key\n").update(key).digest("hex").slice(0, 16);
}

const bytes: Check = (value) => (value instanceof Uint8Array ? undefined : "a Uint8Array");
