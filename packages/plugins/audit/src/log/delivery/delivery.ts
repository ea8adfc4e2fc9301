import type { RuntimeContext } from "@suite/core";
import { inTime, late } from "@suite/kit/time";
import { AuditError } from "../../errors.js";
import type { Composed } from "../../record/compose.js";
import type { DeliveryMode } from "../../record/policy.js";
import { Quota, RecordBuffer } from "./buffer.js";
import type { Sink } from "./sink.js";

export interface DeliveryOptions {
  /** The timeout of a required record and of `close`, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum bytes of waiting records in memory, separately for required and other records. */
  readonly bufferBytes: number;
  readonly warn: (text: string) => void;
}

/** Sends records to the sink by their delivery mode. */
export class Delivery {
  readonly #sink: Sink;
  readonly #timeoutMs: number;
  readonly #buffer: RecordBuffer;
  /** The quota of required records, so that other records do not use it up. */
  readonly #quota: Quota;

  constructor(sink: Sink, { timeoutMs, bufferBytes, warn }: DeliveryOptions) {
    this.#sink = sink;
    this.#timeoutMs = timeoutMs;
    this.#buffer = new RecordBuffer(sink, bufferBytes, warn);
    this.#quota = new Quota(bufferBytes);
  }

  /**
   * Sends the record of an operation that is about to run. Returns a promise only if the operation must wait for it.
   *
   * @throws AuditError `ERR_AUDIT_UNAVAILABLE` if the operation must not run, or the signal's reason
   */
  intent(entry: Composed, mode: DeliveryMode, run: Pick<RuntimeContext, "signal">): Promise<void> | undefined {
    // A run creates its signal when it is first read, so it is read only here.
    if (mode === "required") return this.#required(entry, run.signal);
    this.#buffer.send(entry, mode === "buffered");
    return undefined;
  }

  /**
   * Sends the record of an operation that has run. Never rejects: the operation cannot be undone, and its errors must
   * not be hidden.
   */
  outcome(entry: Composed, mode: DeliveryMode): Promise<void> | undefined {
    if (mode === "required") return this.#awaited(entry);
    this.#buffer.send(entry, mode === "buffered");
    return undefined;
  }

  /** Waits for sent records up to the timeout, then closes the sink. */
  async close(): Promise<void> {
    const start = performance.now();
    const flushed = await inTime(this.#buffer.drained(), this.#timeoutMs);
    const lost = this.#buffer.abandon();
    // Also called if records are stuck: if they are written later, the file is closed after them.
    const closed = await inTime(this.#sink.close(), Math.max(0, start + this.#timeoutMs - performance.now()));
    if (flushed !== late && closed !== late && lost === 0) return;
    const what = lost > 0 ? `${lost} records are lost` : "not all records may be written";
    throw new AuditError(
      "ERR_AUDIT_UNAVAILABLE",
      `The audit log could not be flushed within ${this.#timeoutMs} ms: ${what}.`,
    );
  }

  async #required(entry: Composed, signal: AbortSignal): Promise<void> {
    const refuse = (why: string, options?: ErrorOptions) =>
      new AuditError(
        "ERR_AUDIT_UNAVAILABLE",
        `The call was not run: its audit record is required and ${why}.`,
        options,
      );
    if (!this.#quota.take(entry.bytes)) throw refuse("too many records are waiting for the disk");
    const appended = this.#append(entry).catch((cause: unknown) => {
      throw refuse("could not be written", { cause });
    });
    if ((await inTime(appended, this.#timeoutMs, signal)) === late) {
      throw refuse(`was not durable within ${this.#timeoutMs} ms`);
    }
  }

  /** Writes a record and waits for it. If that fails, the record goes to the buffer, even after the wait has ended. */
  async #awaited(entry: Composed): Promise<void> {
    if (!this.#quota.take(entry.bytes)) {
      this.#buffer.lose(entry, "too many records are waiting for the disk");
      return;
    }
    const appended = this.#append(entry).catch(() => this.#buffer.send(entry, true));
    await inTime(appended, this.#timeoutMs);
  }

  /** Appends a required record whose bytes are reserved. */
  async #append({ record, bytes }: Composed): Promise<void> {
    try {
      await this.#sink.append(record);
      this.#buffer.recovered();
    } finally {
      this.#quota.release(bytes);
    }
  }
}
