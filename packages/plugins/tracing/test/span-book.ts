import { DiagLogLevel, diag, type Link } from "@opentelemetry/api";
import { NodeTracerProvider, type ReadableSpan, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { CallId, Invocation, Kind, Plugin, RuntimeContext } from "@suite/core";
import { spanOf } from "@suite/core/propagation";
import { isOver } from "../src/context/record.js";

/** The span of the call itself, if it has one. */
function ownSpanOf(call: CallId) {
  const span = spanOf(call);
  return call.parent !== undefined && spanOf(call.parent) === span ? undefined : span;
}

/** Keeps account of every span of this process, and tells what must never be so, however the runs went. */
export class SpanBook implements SpanProcessor {
  readonly problems: string[] = [];
  /** Named to what it is about: what comes late is then not taken for somebody else's. */
  readonly provider = new NodeTracerProvider({ spanProcessors: [this] });
  #sealed = false;
  #time = 0;
  readonly #began = new Map<string, number>();
  readonly #ended = new Map<string, number>();
  readonly #spans = new Map<string, ReadableSpan>();

  /** Opens a book with the real SDK, which complains of what is done to a span that has ended. */
  static open(ambient = true): SpanBook {
    const book = new SpanBook();
    const complain = (...said: unknown[]): void => void book.problems.push(said.map(String).join(" "));
    const quiet = (): void => {};
    const logger = { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet };
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    book.provider.register(ambient ? {} : { contextManager: null });
    return book;
  }

  get spans(): readonly ReadableSpan[] {
    return [...this.#spans.values()];
  }

  /** The last run has ended: nothing may begin or end any more, and there is what was told. */
  seal(teller: Teller): void {
    this.#sealed = true;
    if (this.#began.size !== teller.expected) {
      this.problems.push(`${this.#began.size} spans of ${teller.expected} calls`);
    }
    for (const { span, caller } of teller.calls) {
      const above = this.#spans.get(span)?.parentSpanContext?.spanId;
      const right = caller === undefined ? above === undefined : above !== undefined && caller.has(above);
      if (!right) this.problems.push(`${this.#spans.get(span)?.name} is not below its caller`);
    }
    for (const [id, span] of this.#spans) if (!this.#ended.has(id)) this.problems.push(`${span.name} never ended`);
    for (const span of this.#spans.values()) this.#check(span);
  }

  onStart(span: ReadableSpan): void {
    this.#note("began", this.#began, span);
    this.#spans.set(span.spanContext().spanId, span);
  }
  onEnd(span: ReadableSpan): void {
    this.#note("ended", this.#ended, span);
  }
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}

  #note(what: string, times: Map<string, number>, span: ReadableSpan): void {
    const { spanId } = span.spanContext();
    if (this.#sealed) this.problems.push(`${span.name} ${what} after its run`);
    if (times.has(spanId)) this.problems.push(`${span.name} ${what} twice`);
    times.set(spanId, this.#time++);
  }

  #check(span: ReadableSpan): void {
    const { name, parentSpanContext: above, attributes } = span;
    for (const link of span.links) if (!this.#has(link)) this.problems.push(`${name} is linked with nothing`);
    const failed = span.status.code === 2;
    if (failed !== (attributes["error.type"] !== undefined)) this.problems.push(`${name} has half an error`);
    if (above === undefined) {
      if (!name.startsWith("invoke_agent")) this.problems.push(`${name} is a root`);
      return;
    }
    const parent = this.#spans.get(above.spanId);
    if (parent?.spanContext().traceId !== span.spanContext().traceId) {
      this.problems.push(`${name} has no parent in its trace`);
    } else if (this.#at(this.#began, parent) > this.#at(this.#began, span)) {
      this.problems.push(`${name} began before its parent ${parent.name}`);
    } else if (this.#at(this.#ended, parent) < this.#at(this.#ended, span) && !mayOutlive(span, parent)) {
      this.problems.push(`${name} ended after its parent ${parent.name}`);
    }
  }

  #has({ context: { spanId } }: Link): boolean {
    return this.#spans.has(spanId);
  }
  #at(times: Map<string, number>, span: ReadableSpan): number {
    return times.get(span.spanContext().spanId) ?? Number.POSITIVE_INFINITY;
  }
}

/**
 * Tells whether a span may end after its parent: nobody waited for it, and it ends by itself, or with its run; or it came
 * back from elsewhere, after the turn that asked.
 */
const mayOutlive = (span: ReadableSpan, parent: ReadableSpan): boolean =>
  span.parentSpanContext?.isRemote === true ||
  [span, parent].some(({ attributes }) => attributes["suite.status"] === "cancelled");

/** Stands directly around tracing, and counts the spans that there must be: one for each call that its run was there for. */
export class Teller {
  expected = 0;
  readonly #calls: { readonly span: string; readonly call: CallId }[] = [];
  /** A call that is tried again has several. */
  readonly #spans = new WeakMap<CallId, Set<string>>();
  readonly #told = new WeakMap<RuntimeContext, Set<string>>();
  readonly plugin: Plugin;

  constructor() {
    const count = <K extends Kind>({ call, runtime }: Invocation<K>, next: () => Promise<void>): Promise<void> => {
      if (isOver(runtime)) return next();
      this.expected++;
      const running = next();
      // As tracing files it at once for other plugins.
      const span = ownSpanOf(call)?.spanId ?? "none";
      this.#calls.push({ span, call });
      this.#spans.set(call, (this.#spans.get(call) ?? new Set()).add(span));
      return running;
    };
    this.plugin = {
      name: "teller",
      whereOffered: ["compressContext"],
      agent: count,
      model: count,
      humanInput: count,
      compressContext: count,
      tool: (call, next) => (call.request.tool.execute === undefined ? this.#handedOut(call, next) : count(call, next)),
      observe: (notification, runtime) => {
        // An attempt that a layer inside gave up on has a span below that of its call.
        if (notification.type === "attempt" && !isOver(runtime) && ownSpanOf(notification.call) !== undefined) {
          this.expected++;
        }
        if (notification.type !== "external_result") return;
        const told = this.#told.get(runtime) ?? new Set();
        if (!told.has(notification.toolCallId)) this.expected++;
        this.#told.set(runtime, told.add(notification.toolCallId));
      },
    };
  }

  /** The span of each call, and those of the nearest call round it that has any. */
  get calls(): readonly { readonly span: string; readonly caller: ReadonlySet<string> | undefined }[] {
    const spansAround = ({ parent }: CallId): ReadonlySet<string> | undefined =>
      parent && (this.#spans.get(parent) ?? spansAround(parent));
    return this.#calls.map(({ span, call }) => ({ span, caller: spansAround(call) }));
  }

  /** A call that is only handed out has its span when its result is back. */
  async #handedOut(call: Invocation<"tool">, next: () => Promise<void>): Promise<void> {
    if (isOver(call.runtime)) return next();
    this.expected++;
    await next();
    call.pipe({
      settle: ({ status }) => {
        if (status === "suspended") this.expected--;
      },
    });
  }
}
