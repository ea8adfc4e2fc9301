import { type Span, textAt } from "../run/span.js";

/** The most traces that are joined to one run. */
const MOST_TRACES = 200;

/**
 * Groups the traces that are parts of one run: those that name the same run, as before and after a suspension, and
 * those that are connected by links of `@suite/tracing` (`resumes`, `undoes`, …). Links of other instrumentations have
 * other meanings, and join nothing.
 */
export class TraceGroups {
  /** Returns the keys that a trace may share with others: a run's id, or the trace that a link leads to. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #traces = new Map<string, Set<string>>();
  #spare: number | undefined;

  add({ traceId, attributes, links }: Span): void {
    this.#join(traceId, `trace ${traceId}`);
    const run = textAt(attributes, "suite.run.id");
    if (run !== undefined) this.#join(traceId, `run ${run}`);
    for (const link of links)
      if (textAt(link.attributes, "suite.link") !== undefined) this.#join(traceId, `trace ${link.traceId}`);
  }

  remove(traceId: string): void {
    for (const key of this.#keys.get(traceId) ?? []) {
      const traces = this.#traces.get(key);
      traces?.delete(traceId);
      if (traces?.size === 0) this.#traces.delete(key);
    }
    this.#keys.delete(traceId);
    this.#spare = undefined;
  }

  /** Returns the traces of the run that contains a trace, starting with that trace. */
  of(traceId: string): readonly string[] {
    const found = new Set([traceId]);
    for (const each of found) {
      for (const key of this.#keys.get(each) ?? []) {
        for (const other of this.#traces.get(key) ?? []) {
          if (found.size >= MOST_TRACES) return [...found];
          found.add(other);
        }
      }
    }
    return [...found];
  }

  /** The number of traces beyond the first of each run. */
  get spare(): number {
    this.#spare ??= this.#count();
    return this.#spare;
  }

  #count(): number {
    const seen = new Set<string>();
    let spare = 0;
    for (const traces of this.#traces.values()) {
      if (traces.size < 2) continue;
      for (const traceId of traces) {
        if (seen.has(traceId)) continue;
        const group = this.of(traceId).filter((each) => !seen.has(each));
        for (const each of group) seen.add(each);
        spare += group.length - 1;
      }
    }
    return spare;
  }

  #join(traceId: string, key: string): void {
    const keys = this.#keys.get(traceId) ?? new Set();
    if (keys.has(key)) return;
    const traces = this.#traces.get(key) ?? new Set();
    // A key that so many traces share means something else: later traces are separate runs.
    if (traces.size >= MOST_TRACES) return;
    this.#keys.set(traceId, keys.add(key));
    this.#traces.set(key, traces.add(traceId));
    this.#spare = undefined;
  }
}
