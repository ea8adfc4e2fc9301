import { createHash } from "node:crypto";
import type { Awaitable } from "@suite/core";
import type { Check } from "@suite/core/options";
import { checkArgument } from "../options.js";

/** Keeps one key per subject: the person, or whoever else, whose content a record holds. Without the key, it is erased. */
export interface SubjectKeys {
  /**
   * The key of a subject, 32 random bytes, made on first use and durable before it is given out: whoever asks at the same
   * time, in any process, gets the same. What it throws counts like a log that cannot be written.
   */
  keyOf(subject: string): Awaitable<Uint8Array>;
  /** The key that has this id (see `subjectKid`), or undefined where it was erased. */
  find(kid: string): Awaitable<Uint8Array | undefined>;
  /** Deletes the key of a subject for good. Its id, or undefined where there was none. */
  erase(subject: string): Awaitable<string | undefined>;
}

/** The length of a subject's key in bytes. */
export const KEY_BYTES = 32;

/** The id of a subject's key, as records name it: 16 hex digits of a SHA-256 of the key. It says nothing of the subject. */
export function subjectKid(key: Uint8Array): string {
  checkArgument("subjectKid", "key", key, bytes);
  return createHash("sha256").update("suite-audit subject key\n").update(key).digest("hex").slice(0, 16);
}

const bytes: Check = (value) => (value instanceof Uint8Array ? undefined : "a Uint8Array");
