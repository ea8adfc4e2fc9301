import { TraceFlags } from "@opentelemetry/api";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { Backlog } from "./backlog.js";
import { sizeOf } from "./span-size.js";

type Done = Parameters<SpanExporter["export"]>[1];
type Result = Parameters<Done>[0];

const FAILED = 1;

/** Receives the numbers of lost spans. */
export interface Losses {
  /** Called when a span ended while too many were waiting. */
  dropped(): void;
  /** Called with the number of spans that were not accepted. */
  failed(spans: number): void;
}

/**
 * The SDK's batch processor with three additions: spans are limited by size too, since 2,048 of them with their content
 * can be a gigabyte; dropped spans are reported; and a flush waits for batches that are already being sent.
 */
export class BoundedBatch implements SpanProcessor {
  readonly #batch: BatchSpanProcessor;
  readonly #losses: Losses;
  readonly #backlog: Backlog<ReadableSpan>;
  readonly #sending = new Set<Promise<void>>();
  #stopped = false;

  /** @param mostWaiting maximum number of waiting spans, whatever their size */
  constructor(exporter: SpanExporter, losses: Losses, mostWaiting: number) {
    this.#losses = losses;
    this.#backlog = new Backlog(mostWaiting);
    const counting: SpanExporter = {
      export: (spans, done) => this.#export(exporter, spans, done),
      shutdown: () => exporter.shutdown(),
    };
    this.#batch = new BatchSpanProcessor(counting, { maxQueueSize: mostWaiting });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#stopped || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (!this.#backlog.admits(span, sizeOf(span))) {
      this.#losses.dropped();
      return;
    }
    this.#batch.onEnd(span);
    if (this.#backlog.isFull) this.#batch.forceFlush().catch(alreadyReported);
  }

  async forceFlush(): Promise<void> {
    const underWay = [...this.#sending];
    await Promise.all([this.#batch.forceFlush(), ...underWay]);
  }

  async shutdown(): Promise<void> {
    this.#stopped = true;
    await this.forceFlush().catch(alreadyReported);
    await this.#batch.shutdown();
  }

  #export(exporter: SpanExporter, spans: ReadableSpan[], done: Done): void {
    const release = this.#backlog.leave(spans);
    const sent = new Promise<Result>((resolve) => exporter.export(spans, resolve))
      .catch((error): Result => ({ code: FAILED, error }))
      .then((result) => {
        release();
        this.#sending.delete(sent);
        if (result.code !== 0) this.#losses.failed(spans.length);
        done(result);
      });
    this.#sending.add(sent);
  }
}

const alreadyReported = (): void => {};
