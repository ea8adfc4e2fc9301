import { joinRuns } from "../run/joined.js";
import { metricsOf, type RunMetrics } from "../run/metrics.js";
import { queryOf } from "../run/query.js";
import { type Run, runOf } from "../run/run.js";
import type { Span } from "../run/span.js";
import { TraceGroups } from "./groups.js";

/** The spans of one trace, and data derived from them on demand. */
interface Trace {
  readonly id: string;
  readonly spans: Map<string, Span>;
  /** The approximate bytes of the requests that contained them. */
  bytes: number;
  run: Run | undefined;
  metrics: RunMetrics | undefined;
  /** The searchable content, in lower case. */
  text: string | undefined;
  /** The number of the store's change that last changed this trace. */
  changed: number;
}

/** The bounds of a store. */
export interface StoreLimits {
  readonly spans: number;
  readonly bytes: number;
}

/** The most searchable characters of one trace. One string for everything could be too long. */
const MOST_TEXT = 64 * 1024 * 1024;

/** The longest time of indexing traces without a pause for other work, in milliseconds. */
const SLICE_MS = 10;

/** Keeps the spans in memory, by trace, within bounds. The trace that changed longest ago is dropped first. */
export class SpanStore {
  readonly #limits: StoreLimits;
  /** The traces, in the order of their last change. */
  readonly #traces = new Map<string, Trace>();
  readonly #listeners = new Set<() => void>();
  /** The traces without search content and summary so far. */
  readonly #unread = new Set<Trace>();
  readonly #groups = new TraceGroups();
  #reading: ReturnType<typeof setTimeout> | undefined;
  #spans = 0;
  #bytes = 0;
  #changes = 0;
  #dropped = 0;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  /** The number of spans and runs that are kept, and of spans that were dropped. */
  get size(): { readonly spans: number; readonly runs: number; readonly dropped: number } {
    return { spans: this.#spans, runs: this.#traces.size - this.#groups.spare, dropped: this.#dropped };
  }

  /** The number of the last change. A reader has not seen the changes after the number that it knows. */
  get changes(): number {
    return this.#changes;
  }

  /** @param bytes of the request that contained these spans. */
  add(spans: readonly Span[], bytes = 0): void {
    if (spans.length === 0) return;
    this.#changes++;
    const each = bytes / spans.length;
    this.#bytes += bytes;
    for (const span of spans) {
      const trace = this.#traces.get(span.traceId) ?? newTrace(span.traceId);
      if (!trace.spans.has(span.spanId)) this.#spans++;
      trace.spans.set(span.spanId, span);
      this.#groups.add(span);
      trace.bytes += each;
      trace.run = undefined;
      trace.metrics = undefined;
      trace.text = undefined;
      trace.changed = this.#changes;
      this.#unread.add(trace);
      this.#traces.delete(span.traceId);
      this.#traces.set(span.traceId, trace);
    }
    this.#makeRoom();
    this.#readLater();
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the runs that changed last, the newest first. @param since only runs that changed after this change. */
  runs(most: number, since = 0): readonly Run[] {
    return this.#newest(most, ({ changed }) => changed > since);
  }

  /** Returns the runs that match a query: names, attributes and content contain all its words, and its fields match. */
  search(query: string, most: number): readonly Run[] {
    const { words, fits } = queryOf(query);
    return this.#newest(most, (trace) => words.every((word) => textOf(trace).includes(word)), fits);
  }

  /** Returns the spans of the run that contains a trace. Returns `undefined` if the trace is unknown. */
  spans(traceId: string): readonly Span[] | undefined {
    if (!this.#traces.has(traceId)) return undefined;
    return this.#parts(traceId).flatMap((trace) => [...trace.spans.values()]);
  }

  /** Returns the spans of all runs of a session, or `undefined` for an unknown session. */
  session(sessionId: string): readonly Span[] | undefined {
    const traces = new Set<Trace>();
    for (const trace of this.#traces.values()) {
      if (summaryOf(trace).sessionId !== sessionId) continue;
      for (const part of this.#parts(trace.id)) traces.add(part);
    }
    return traces.size === 0 ? undefined : [...traces].flatMap((trace) => [...trace.spans.values()]);
  }

  /** Returns the figures of each trace that began at that time or later. */
  metrics(since: number): readonly RunMetrics[] {
    const all = [...this.#traces.values()].map((trace) => {
      trace.metrics ??= metricsOf(summaryOf(trace), [...trace.spans.values()]);
      return trace.metrics;
    });
    return all.filter(({ start }) => start >= since);
  }

  /** Cancels the remaining work. */
  close(): void {
    clearTimeout(this.#reading);
    this.#unread.clear();
  }

  /** Returns the newest runs that match as a whole and in one trace. */
  #newest(
    most: number,
    fits: (trace: Trace) => boolean,
    fitsCompletely: (run: Run) => boolean = () => true,
  ): readonly Run[] {
    const runs: Run[] = [];
    const seen = new Set<Trace>();
    for (const trace of [...this.#traces.values()].reverse()) {
      if (runs.length >= most) break;
      if (seen.has(trace) || !fits(trace)) continue;
      const parts = this.#parts(trace.id);
      for (const part of parts) seen.add(part);
      const run = joinRuns(parts.map(summaryOf)) ?? summaryOf(trace);
      if (fitsCompletely(run)) runs.push(run);
    }
    return runs.sort((a, b) => b.start - a.start);
  }

  /** Returns the traces of the run that contains a trace. */
  #parts(traceId: string): readonly Trace[] {
    return this.#groups.of(traceId).flatMap((each) => this.#traces.get(each) ?? []);
  }

  /**
   * Builds search strings and summaries before the first search and the first list, in slices, so that neither they nor
   * an exporter wait.
   */
  #readLater(): void {
    if (this.#unread.size === 0) return;
    this.#reading ??= setTimeout(() => {
      this.#reading = undefined;
      const until = performance.now() + SLICE_MS;
      for (const trace of this.#unread) {
        this.#unread.delete(trace);
        this.#read(trace);
        if (performance.now() > until) break;
      }
      this.#readLater();
    }, 1).unref();
  }

  /**
   * Indexes a trace in advance. A timer has no caller that could catch an error, and a request for the trace throws it
   * again.
   */
  #read(trace: Trace): void {
    try {
      textOf(trace);
      summaryOf(trace);
    } catch {
      trace.text = "";
    }
  }

  #makeRoom(): void {
    for (const [traceId, trace] of this.#traces) {
      if (!this.#isFull()) return;
      // The newest trace stays. If it alone exceeds the bounds, its oldest spans are dropped.
      if (this.#traces.size === 1) {
        this.#shorten(trace);
        return;
      }
      this.#traces.delete(traceId);
      this.#groups.remove(traceId);
      this.#unread.delete(trace);
      this.#spans -= trace.spans.size;
      this.#bytes -= trace.bytes;
      this.#dropped += trace.spans.size;
    }
  }

  #shorten(trace: Trace): void {
    const each = trace.bytes / trace.spans.size;
    for (const spanId of trace.spans.keys()) {
      if (!this.#isFull()) return;
      trace.spans.delete(spanId);
      trace.bytes -= each;
      this.#spans--;
      this.#bytes -= each;
      this.#dropped++;
    }
  }

  #isFull(): boolean {
    return this.#spans > this.#limits.spans || this.#bytes > this.#limits.bytes;
  }
}

const newTrace = (id: string): Trace => ({
  id,
  spans: new Map(),
  bytes: 0,
  run: undefined,
  metrics: undefined,
  text: undefined,
  changed: 0,
});

function summaryOf(trace: Trace): Run {
  trace.run ??= runOf(trace.id, [...trace.spans.values()]);
  return trace.run;
}

function textOf(trace: Trace): string {
  if (trace.text !== undefined) return trace.text;
  const all: string[] = [];
  let room = MOST_TEXT;
  for (const { name, traceId, attributes, events, links, statusMessage = "", resource } of trace.spans.values()) {
    const text = [name, traceId, statusMessage, JSON.stringify([attributes, events, links, resource])].join("\n");
    all.push(text.slice(0, room));
    room -= text.length;
    if (room <= 0) break;
  }
  trace.text = all.join("\n").toLowerCase();
  return trace.text;
}
