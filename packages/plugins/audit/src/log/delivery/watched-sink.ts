import type { AuditRecord } from "../../record/record.js";
import type { Sink } from "./sink.js";

/** Wraps a sink and warns while it does not respond: a hanging disk returns no error. */
export class WatchedSink implements Sink {
  readonly #sink: Sink;
  readonly #patience: number;
  readonly #warn: (text: string) => void;
  #open = 0;
  #last: Promise<unknown> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param patience milliseconds without a response before the warning */
  constructor(sink: Sink, patience: number, warn: (text: string) => void) {
    this.#sink = sink;
    this.#patience = patience;
    this.#warn = warn;
  }

  append(record: AuditRecord): Promise<unknown> {
    const appended = this.#sink.append(record);
    // Records that are written together share one promise.
    if (appended === this.#last) return appended;
    this.#last = appended;
    if (this.#open++ === 0) this.#wait();
    appended.then(this.#answered, this.#answered);
    return appended;
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#sink.close();
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => {
      if (this.#open === 0) return;
      this.#warn(`Audit records are waiting: the log has not answered for ${this.#patience} ms. Its disk may hang.`);
    }, this.#patience).unref();
    this.#timer.refresh();
  }

  readonly #answered = (): void => {
    if (--this.#open > 0) this.#wait();
    else clearTimeout(this.#timer);
  };
}
