import type { RuntimeContext } from "@suite/core";
import { AuditError } from "../../errors.js";
import type { Composed } from "../../record/compose.js";
import type { DeliveryMode } from "../../record/policy.js";
import { Quota, RecordBuffer } from "./buffer.js";
import { late, within } from "./deadline.js";
import type { Sink } from "./sink.js";

export interface DeliveryOptions {
  /** The time that a required record, and `close`, may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The bytes of records that may wait in memory: so many that are required, and so many others. */
  readonly bufferBytes: number;
  readonly warn: (text: string) => void;
}

/** Brings records to the sink, each as its mode says. */
export class Delivery {
  readonly #sink: Sink;
  readonly #timeoutMs: number;
  readonly #buffer: RecordBuffer;
  /** The quota of required records: others must not crowd them out. */
  readonly #quota: Quota;

  constructor(sink: Sink, { timeoutMs, bufferBytes, warn }: DeliveryOptions) {
    this.#sink = sink;
    this.#timeoutMs = timeoutMs;
    this.#buffer = new RecordBuffer(sink, bufferBytes, warn);
    this.#quota = new Quota(bufferBytes);
  }

  /**
   * The record of what is about to be done. A promise only if it must be waited for.
   *
   * @throws AuditError `ERR_AUDIT_UNAVAILABLE`: it must not be done. Or the signal's reason.
   */
  intent(entry: Composed, mode: DeliveryMode, run: Pick<RuntimeContext, "signal">): Promise<void> | undefined {
    // The signal of a run is made for whoever asks for it.
    if (mode === "required") return this.#required(entry, run.signal);
    this.#buffer.send(entry, mode === "buffered");
    return undefined;
  }

  /** The record of what has been done. It never rejects: nothing can be undone by it, and no error may be hidden. */
  outcome(entry: Composed, mode: DeliveryMode): Promise<void> | undefined {
    if (mode === "required") return this.#awaited(entry);
    this.#buffer.send(entry, mode === "buffered");
    return undefined;
  }

  /** Waits for what was sent, so long as there is time, then closes the sink. */
  async close(): Promise<void> {
    const start = performance.now();
    const flushed = await within(this.#buffer.drained(), this.#timeoutMs);
    const lost = this.#buffer.abandon();
    // Also where records are stuck: they may come loose, and then the file is closed behind them.
    const closed = await within(this.#sink.close(), Math.max(0, start + this.#timeoutMs - performance.now()));
    if (flushed !== late && closed !== late && lost === 0) return;
    const what = lost > 0 ? `${lost} records are lost` : "not all records may be written";
    throw new AuditError(
      "ERR_AUDIT_UNAVAILABLE",
      `The audit log could not be flushed within ${this.#timeoutMs} ms: ${what}.`,
    );
  }

  async #required(entry: Composed, signal: AbortSignal): Promise<void> {
    const refuse = (why: string, options?: ErrorOptions) =>
      new AuditError("ERR_AUDIT_UNAVAILABLE", `Not run: its audit record is required and ${why}.`, options);
    if (!this.#quota.take(entry.bytes)) throw refuse("too many others wait for the disk");
    const appended = this.#append(entry).catch((cause: unknown) => {
      throw refuse("could not be written", { cause });
    });
    if ((await within(appended, this.#timeoutMs, signal)) === late) {
      throw refuse(`was not durable within ${this.#timeoutMs} ms`);
    }
  }

  /** Writes a record that is waited for. A failed one goes to the buffer, also when nobody waits for it any more. */
  async #awaited(entry: Composed): Promise<void> {
    if (!this.#quota.take(entry.bytes)) {
      this.#buffer.lose(entry, "too many wait for the disk");
      return;
    }
    const appended = this.#append(entry).catch(() => this.#buffer.send(entry, true));
    await within(appended, this.#timeoutMs);
  }

  /** A required record, for which there was room. */
  async #append({ record, bytes }: Composed): Promise<void> {
    try {
      await this.#sink.append(record);
      this.#buffer.recovered();
    } finally {
      this.#quota.giveBack(bytes);
    }
  }
}
