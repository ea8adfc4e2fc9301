import { AuditError } from "../../errors.js";
import type { Composed } from "../../record/compose.js";
import { unhurriedRecord } from "../../record/draft.js";
import type { AuditRecord } from "../../record/record.js";
import type { Sink } from "./sink.js";

const FIRST_DELAY = 100;
const LAST_DELAY = 5000;

/** Records that share a promise of the sink. */
interface Together {
  readonly appended: Promise<unknown>;
  readonly entries: Composed[];
}

/**
 * Records that are being sent to the sink, up to a limit in bytes. Failed records are retried. Records that do not fit
 * are counted.
 */
export class RecordBuffer {
  readonly #sink: Sink;
  readonly #quota: Quota;
  readonly #losses: Losses;
  /** Records that failed and wait for a retry, oldest first. */
  #backlog: Composed[] = [];
  /** The records of the last call of the sink, while it is pending. They are retried if it fails. */
  #together: Together | undefined;
  #abandoned = false;
  #delay = FIRST_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: Sink, limit: number, warn: (text: string) => void) {
    this.#sink = sink;
    this.#quota = new Quota(limit);
    this.#losses = new Losses(quiet(warn));
  }

  /** @param again false to try only once */
  send(entry: Composed, again: boolean): void {
    if (!this.#quota.take(entry.bytes)) {
      this.lose(entry, "the buffer is full");
      return;
    }
    // Queued after waiting records to keep the order.
    if (again && this.#backlog.length > 0) this.#backlog.push(entry);
    else this.#attempt(entry, again);
  }

  /** Counts a record that cannot be sent, for the next gap record. */
  lose(entry: Composed, why: string, error?: unknown): void {
    this.#losses.add(entry, why, error);
  }

  /** Called when a record was written. Sends the waiting records and a pending gap record. */
  recovered(): void {
    this.#delay = FIRST_DELAY;
    if (this.#backlog.length > 0) for (const entry of this.#backlog.splice(0)) this.#attempt(entry, true);
    this.#reportGap();
  }

  /** Resolves when nothing is pending and lost records are reported. Retries waiting records at once. */
  async drained(): Promise<void> {
    this.#retry();
    await this.#untilIdle();
    this.#reportGap();
    await this.#untilIdle();
  }

  /** Drops the waiting records. Returns the number of lost records that no gap record reports. */
  abandon(): number {
    this.#abandoned = true;
    clearTimeout(this.#timer);
    for (const entry of this.#backlog.splice(0)) this.lose(entry, "the log was closed");
    return this.#losses.records;
  }

  #reportGap(): void {
    const gap = this.#losses.take();
    if (gap) this.send(gap, true);
  }

  #attempt(entry: Composed, again: boolean, first = false): void {
    const appended = this.#append(again ? unhurriedRecord(entry.record) : entry.record);
    const joins = again && !first;
    if (joins && this.#together?.appended === appended) {
      this.#together.entries.push(entry);
      return;
    }
    const together: Together = { appended, entries: [entry] };
    if (joins) this.#together = together;
    const over = (): void => {
      if (this.#together === together) this.#together = undefined;
    };
    appended.then(
      () => {
        over();
        for (const { bytes } of together.entries) this.#quota.release(bytes);
        this.recovered();
        this.#checkIdle();
      },
      (error: unknown) => {
        over();
        for (const each of together.entries) {
          if (again && !this.#abandoned && mayYetSucceed(error)) this.#keep(each, first, error);
          else this.#giveUp(each, error);
        }
      },
    );
  }

  /** Appends a record. An exception of the sink becomes a rejection, so that no other record is lost with this one. */
  #append(record: AuditRecord): Promise<unknown> {
    try {
      return this.#sink.append(record);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #keep(entry: Composed, first: boolean, error: unknown): void {
    if (first) this.#backlog.unshift(entry);
    else this.#backlog.push(entry);
    this.#timer ??= setTimeout(() => this.#retry(), this.#delay).unref();
    this.#losses.report(error);
  }

  #giveUp(entry: Composed, error: unknown): void {
    this.#quota.release(entry.bytes);
    this.lose(entry, "they could not be written", error);
    this.#checkIdle();
  }

  /** Retries only the oldest record: a full disk need not be tried for each. If it is written, the others follow. */
  #retry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const oldest = this.#backlog.shift();
    if (!oldest) return;
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    this.#attempt(oldest, true, true);
  }

  #untilIdle(): Promise<void> | undefined {
    return this.#quota.unused ? undefined : new Promise((resolve) => this.#idle.push(resolve));
  }

  #checkIdle(): void {
    if (!this.#quota.unused) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** Wraps a warning function so that it never throws: records must not depend on it. */
const quiet =
  (warn: (text: string) => void) =>
  (text: string): void => {
    try {
      warn(text);
    } catch {
      // It cannot be reported anywhere else.
    }
  };

const never = new Set([
  "ERR_AUDIT_INVALID_RECORD",
  "ERR_AUDIT_RECORD_TOO_LARGE",
  "ERR_AUDIT_CLOSED",
  "ERR_AUDIT_INVALID_KEY",
]);
const mayYetSucceed = (error: unknown): boolean => !AuditError.is(error) || !never.has(error.code);

/** A limit for the number of pending bytes. */
export class Quota {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get unused(): boolean {
    return this.#used === 0;
  }

  /** Reserves bytes. Returns false if the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}

/** Counts lost records until a gap record can be written. */
class Losses {
  readonly #warn: (text: string) => void;
  #records = 0;
  #bytes = 0;
  #since = "";

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  get records(): number {
    return this.#records;
  }

  /** @param why the reason in the warning, after "records are lost:" */
  add({ record, bytes }: Composed, why: string, error?: unknown): void {
    if (record.type === "gap") {
      this.#addGap(record);
      return;
    }
    this.#count(1, bytes, record.time);
    this.#warn(`Audit records are lost: ${why}${codeOf(error)}. A gap record will contain the number.`);
  }

  /** Warns about a failure that has not lost records yet. */
  report(error: unknown): void {
    this.#warn(`Audit records cannot be written${codeOf(error)}. They are kept in memory and will be written again.`);
  }

  /** Returns the gap record, if any, and resets the count. */
  take(): Composed | undefined {
    if (this.#records === 0) return undefined;
    const details = { records: this.#records, bytes: this.#bytes, since: this.#since };
    this.#records = 0;
    this.#bytes = 0;
    this.#since = "";
    const id = crypto.randomUUID();
    const time = new Date().toISOString();
    const record: AuditRecord = { version: 1, id, time, stage: "outcome", type: "gap", operation: "record", details };
    return { record, bytes: 256 };
  }

  /** Adds a gap record that could not be written to the next one. */
  #addGap({ details }: AuditRecord): void {
    const { records, bytes, since } = details as { records: number; bytes: number; since: string };
    this.#count(records, bytes, since);
  }

  #count(records: number, bytes: number, since: string): void {
    this.#records += records;
    this.#bytes += bytes;
    if (this.#since === "" || since < this.#since) this.#since = since;
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const known = cause?.code ?? code;
  return typeof known === "string" ? ` (${known})` : "";
}
