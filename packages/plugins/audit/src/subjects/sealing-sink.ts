import type { Awaitable } from "@suite/core";
import type { Sink } from "../log/delivery/sink.js";
import { type Draft, isUnhurried, owner, unhurriedRecord } from "../record/draft.js";
import type { AuditRecord } from "../record/record.js";
import { seal } from "./sealed.js";
import type { SubjectKeys } from "./subject-keys.js";

/**
 * Encrypts records that have an owner before it passes them on. It is a sink, so that a failure to read a key is
 * handled like a failure to write the record.
 */
export class SealingSink implements Sink {
  readonly #sink: Sink;
  readonly #keys: SubjectKeys;

  constructor(sink: Sink, keys: SubjectKeys) {
    this.#sink = sink;
    this.#keys = keys;
  }

  append(record: Draft): Promise<unknown> {
    const subject = record[owner];
    if (subject === undefined) return this.#sink.append(record);
    if (typeof subject !== "string") return Promise.reject(subject);
    const key = this.#keyOf(subject);
    if (key instanceof Uint8Array) return this.#sink.append(sealed(record, key));
    return Promise.resolve(key).then((found) => this.#sink.append(sealed(record, found)));
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  #keyOf(subject: string): Awaitable<Uint8Array> {
    try {
      return this.#keys.keyOf(subject);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

function sealed(record: Draft, key: Uint8Array): AuditRecord {
  const stored = seal(record, key);
  return isUnhurried(record) ? unhurriedRecord(stored) : stored;
}
