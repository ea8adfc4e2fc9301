import { AuditError } from "../../errors.js";
import type { Composed } from "../../record/compose.js";
import { unhurriedRecord } from "../../record/draft.js";
import { Losses } from "./losses.js";
import { Quota } from "./quota.js";
import type { Sink } from "./sink.js";

const FIRST_DELAY = 100;
const LAST_DELAY = 5000;

/** Records that the sink has given one promise for. */
interface Together {
  readonly appended: Promise<unknown>;
  readonly entries: Composed[];
}

/** Records on their way to the sink, at most so many bytes of them. What fails is tried again; what does not fit is counted. */
export class RecordBuffer {
  readonly #sink: Sink;
  readonly #quota: Quota;
  readonly #losses: Losses;
  /** Failed, and waiting for the next try, oldest first. */
  #backlog: Composed[] = [];
  /** The last that were sent, as long as they are on their way, and are tried again where they fail. */
  #together: Together | undefined;
  #abandoned = false;
  #delay = FIRST_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: Sink, limit: number, warn: (text: string) => void) {
    this.#sink = sink;
    this.#quota = new Quota(limit);
    this.#losses = new Losses(warn);
  }

  /** @param again false: tried once. */
  send(entry: Composed, again: boolean): void {
    if (!this.#quota.take(entry.bytes)) {
      this.lose(entry, "the buffer is full");
      return;
    }
    // Behind what waits, so that order is kept.
    if (again && this.#backlog.length > 0) this.#backlog.push(entry);
    else this.#attempt(entry, again);
  }

  /** Counts a record that cannot be sent, for the next gap record. */
  lose(entry: Composed, why: string, error?: unknown): void {
    this.#losses.add(entry, why, error);
  }

  /** A record was written: so can be what waits, and what is to be told of a gap. */
  recovered(): void {
    this.#delay = FIRST_DELAY;
    if (this.#backlog.length > 0) for (const entry of this.#backlog.splice(0)) this.#attempt(entry, true);
    this.#tellGap();
  }

  /** Resolves when nothing is on its way, and what was lost is told. Tries at once what waits. */
  async drained(): Promise<void> {
    this.#retry();
    await this.#untilIdle();
    this.#tellGap();
    await this.#untilIdle();
  }

  /** Gives up what waits. How many records were lost and are told nowhere. */
  abandon(): number {
    this.#abandoned = true;
    clearTimeout(this.#timer);
    for (const entry of this.#backlog.splice(0)) this.lose(entry, "the log was closed");
    return this.#losses.records;
  }

  #tellGap(): void {
    const gap = this.#losses.take();
    if (gap) this.send(gap, true);
  }

  #attempt(entry: Composed, again: boolean, first = false): void {
    const appended = this.#sink.append(again ? unhurriedRecord(entry.record) : entry.record);
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
        for (const { bytes } of together.entries) this.#quota.giveBack(bytes);
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

  #keep(entry: Composed, first: boolean, error: unknown): void {
    if (first) this.#backlog.unshift(entry);
    else this.#backlog.push(entry);
    this.#timer ??= setTimeout(() => this.#retry(), this.#delay).unref();
    this.#losses.tell(error);
  }

  #giveUp(entry: Composed, error: unknown): void {
    this.#quota.giveBack(entry.bytes);
    this.lose(entry, "they could not be written", error);
    this.#checkIdle();
  }

  /** Retries the oldest alone: a full disk need not be asked for each. If it is written, the others follow. */
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

const never = new Set([
  "ERR_AUDIT_INVALID_RECORD",
  "ERR_AUDIT_RECORD_TOO_LARGE",
  "ERR_AUDIT_CLOSED",
  "ERR_AUDIT_INVALID_KEY",
]);
const mayYetSucceed = (error: unknown): boolean => !AuditError.is(error) || !never.has(error.code);
