import { AuditError } from "../errors.js";
import type { Composed } from "../record/compose.js";
import type { Sink } from "../sink/sink.js";
import { Losses } from "./losses.js";

const FIRST_DELAY = 100;
const LAST_DELAY = 5000;

/** Records on their way to the sink, at most so many bytes of them. What fails is tried again; what does not fit is counted. */
export class Buffer {
  readonly #sink: Sink;
  readonly #limit: number;
  readonly #losses: Losses;
  /** Failed, and waiting for the next try. */
  #backlog: Composed[] = [];
  #bytes = 0;
  #abandoned = false;
  #delay = FIRST_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: Sink, limit: number, warn: (text: string) => void) {
    this.#sink = sink;
    this.#limit = limit;
    this.#losses = new Losses(warn);
  }

  /** @param again false: tried once. */
  send(entry: Composed, again: boolean): void {
    if (this.#bytes + entry.bytes > this.#limit) {
      this.#losses.add(entry, "the buffer is full");
      return;
    }
    this.#bytes += entry.bytes;
    // Behind what waits, so that order is kept.
    if (again && this.#backlog.length > 0) this.#backlog.push(entry);
    else this.#attempt(entry, again);
  }

  /** Resolves when nothing is on its way. Tries at once what waits. */
  drained(): Promise<void> {
    this.#retry();
    if (this.#bytes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Gives up what waits. How many records were lost and are told nowhere. */
  abandon(): number {
    this.#abandoned = true;
    clearTimeout(this.#timer);
    for (const entry of this.#backlog.splice(0)) this.#losses.add(entry, "the log was closed");
    return this.#losses.records;
  }

  #attempt(entry: Composed, again: boolean): void {
    this.#sink.append(entry.record).then(
      () => this.#delivered(entry),
      (error: unknown) => this.#failed(entry, again, error),
    );
  }

  #delivered(entry: Composed): void {
    this.#delay = FIRST_DELAY;
    this.#release(entry);
    const gap = this.#losses.take();
    if (gap) this.send(gap, true);
    this.#retry();
    this.#checkIdle();
  }

  #failed(entry: Composed, again: boolean, error: unknown): void {
    if (again && !this.#abandoned && mayYetSucceed(error)) {
      this.#backlog.push(entry);
      this.#timer ??= setTimeout(() => this.#retry(), this.#delay).unref();
      this.#losses.tell(error);
      return;
    }
    this.#release(entry);
    this.#losses.add(entry, "they could not be written", error);
    this.#checkIdle();
  }

  #retry(): void {
    if (this.#backlog.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    for (const entry of this.#backlog.splice(0)) this.#attempt(entry, true);
  }

  #release(entry: Composed): void {
    this.#bytes -= entry.bytes;
  }

  #checkIdle(): void {
    if (this.#bytes > 0) return;
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
