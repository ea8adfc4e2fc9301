import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { trace } from "@opentelemetry/api";
import {
  NodeTracerProvider,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import fc from "fast-check";
import { BoundedBatch } from "../src/node/export/bounded-batch.js";
import { sizeOf } from "../src/node/export/span-size.js";
import { Warnings } from "../src/node/warnings.js";
import { setupTracing } from "../src/node.js";
import { startReceiver } from "./receiver.js";

const MEGABYTE = 1024 * 1024;
/** Text of one megabyte in memory, by the estimate. */
const megabyte = "x".repeat(MEGABYTE / 2);

/** An exporter that answers when it is told to, behind a batch, behind a provider. */
class Sending {
  readonly taken: string[] = [];
  readonly batch: BoundedBatch;
  dropped = 0;
  failed = 0;
  readonly #open: { readonly size: number; readonly done: (result: { code: number }) => void }[] = [];
  readonly #provider: NodeTracerProvider;
  #answers = false;

  constructor(mostWaiting = 2048, sampler?: Sampler) {
    const exporter: SpanExporter = {
      export: (spans, done) => this.#take(spans, done),
      shutdown: async () => {},
    };
    const losses = {
      dropped: () => {
        this.dropped++;
      },
      failed: (spans: number) => {
        this.failed += spans;
      },
    };
    this.batch = new BoundedBatch(exporter, losses, mostWaiting);
    this.#provider = new NodeTracerProvider({ spanProcessors: [this.batch], ...(sampler && { sampler }) });
  }

  #take(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    this.taken.push(...spans.map(({ name }) => name));
    this.#open.push({ size: spans.reduce((sum, span) => sum + sizeOf(span), 0), done });
    if (this.#answers) this.answer();
  }
  end(content = "", name = "s"): void {
    this.#provider.getTracer("t").startSpan(name, { attributes: { content } }).end();
  }
  /** The size of the spans that the exporter keeps, in bytes. */
  get held(): number {
    return this.#open.reduce((sum, { size }) => sum + size, 0);
  }
  answer(code = 0): void {
    for (const { done } of this.#open.splice(0)) done({ code });
  }
  /** Ends the batch; the exporter answers at once from now on. */
  async finish(): Promise<void> {
    this.#answers = true;
    this.answer();
    await this.batch.shutdown();
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("spans on their way out", () => {
  it("are sent once there are four megabytes of them, and not before", async () => {
    const sending = new Sending();
    for (let i = 0; i < 3; i++) sending.end(megabyte);
    expect(sending.taken).toHaveLength(0);
    sending.end(megabyte);
    expect(sending.taken).toHaveLength(4);
    await sending.finish();
  });

  it("take no more than 64 MB while nobody takes them, and there is room again for as much as was taken", async () => {
    const sending = new Sending();
    for (let i = 0; i < 100; i++) sending.end(megabyte);
    expect(sending.held).toBeGreaterThan(56 * MEGABYTE);
    expect(sending.held).toBeLessThanOrEqual(64 * MEGABYTE);
    const { length } = sending.taken;
    sending.answer();
    await settled();
    for (let i = 0; i < 100; i++) sending.end(megabyte);
    expect(sending.taken).toHaveLength(2 * length);
    await sending.finish();
    expect(sending.dropped).toBe(200 - sending.taken.length);
  });

  it("are no more than was said while they wait, whatever their size", async () => {
    const sending = new Sending(10);
    // Ten are under way at once, and ten wait.
    for (let i = 0; i < 35; i++) sending.end();
    expect(sending.dropped).toBe(15);
    await sending.finish();
    expect(sending.taken).toHaveLength(20);
  });

  it("are counted if they were not sent, and if an exporter throws", async () => {
    const sending = new Sending();
    sending.end();
    const flushed = sending.batch.forceFlush();
    sending.answer(1);
    await expect(flushed).rejects.toThrow();
    expect(sending.failed).toBe(1);
    await sending.finish();

    const losses = { dropped: () => {}, failed: jest.fn<(spans: number) => void>() };
    const throws = () => {
      throw new Error("an exporter of somebody");
    };
    const batch = new BoundedBatch({ export: throws, shutdown: async () => {} }, losses, 10);
    const provider = new NodeTracerProvider({ spanProcessors: [batch] });
    provider.getTracer("t").startSpan("s").end();
    await provider.shutdown();
    expect(losses.failed.mock.calls).toEqual([[1]]);
  });

  it("are waited for by a flush also when they are under way already", async () => {
    const sending = new Sending();
    for (let i = 0; i < 4; i++) sending.end(megabyte);
    expect(sending.held).toBeGreaterThan(0);
    let flushed = false;
    const flushing = sending.batch.forceFlush().then(() => {
      flushed = true;
    });
    await settled();
    expect(flushed).toBe(false);
    sending.answer();
    await flushing;
    await sending.finish();
  });

  it("are none of those that are not sampled, and none after a shutdown", async () => {
    const sending = new Sending(1, { shouldSample: () => ({ decision: SamplingDecision.RECORD }) });
    sending.end();
    sending.end();
    await sending.finish();
    const stopped = new Sending(1);
    await stopped.finish();
    stopped.end();
    stopped.end();
    expect([sending.taken, sending.dropped, stopped.taken, stopped.dropped]).toEqual([[], 0, [], 0]);
  });

  it("are each taken once or told to be dropped, and never too many, however they and the answers come", async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ megabytes: fc.integer({ min: 0, max: 9 }) }) },
      { weight: 1, arbitrary: fc.record({ code: fc.constantFrom(0, 1) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), async (steps, most) => {
        const sending = new Sending(most);
        let ended = 0;
        for (const each of steps) {
          if ("megabytes" in each) sending.end(megabyte.repeat(each.megabytes), `${ended++}`);
          else sending.answer(each.code);
          expect(sending.held).toBeLessThanOrEqual(64 * MEGABYTE);
          if ("code" in each) await settled();
        }
        await sending.finish();
        expect(new Set(sending.taken).size).toBe(sending.taken.length);
        expect(sending.taken.length + sending.dropped).toBe(ended);
      }),
    );
  });
});

describe("setupTracing", () => {
  const warn = jest.fn<(message: string) => void>();
  const said = () => warn.mock.calls.map(([message]) => message);
  afterEach(() => {
    warn.mockClear();
    for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
  });
  const end = (times = 1) => {
    for (let i = 0; i < times; i++) trace.getTracer("t").startSpan("s").end();
  };

  it("flushes and shuts down without an error if no server responds, reports the number of lost spans, and allows another set-up", async () => {
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = "100";
    const receiver = await startReceiver();
    await receiver.stop();
    const telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, warn });
    end();
    await telemetry.flush();
    end();
    await telemetry.shutdown();
    expect(said()).toEqual([
      expect.stringContaining("could not be sent"),
      expect.stringContaining("total spans lost: 2"),
    ]);
    end();
    const next = setupTracing({ warn });
    await next.shutdown();
  });

  it("shuts down without an error, and allows another set-up, if a custom processor fails to shut down", async () => {
    const fails = () => Promise.reject(new Error("a processor of somebody"));
    const processor: SpanProcessor = { onStart() {}, onEnd() {}, forceFlush: fails, shutdown: fails };
    const telemetry = setupTracing({ processors: [processor], warn });
    await telemetry.flush();
    await telemetry.shutdown();
    await setupTracing({ warn }).shutdown();
  });

  it("says once that spans are dropped, when the first is", async () => {
    process.env.OTEL_BSP_MAX_QUEUE_SIZE = "10";
    const receiver = await startReceiver();
    const telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, warn });
    end(35);
    expect(said()).toEqual([expect.stringContaining("are dropped")]);
    await telemetry.shutdown();
    await receiver.stop();
    expect(said().slice(1)).toEqual([expect.stringContaining("total spans lost: 15")]);
  });

  it.each([
    [
      "that no more can wait",
      35,
      /are dropped/,
      /total spans lost: 36\. They could not be sent to .*: nothing listens there\.$/,
    ],
    ["that nobody answers", 1, /could not be sent/, /total spans lost: 36\.$/],
  ])("warns once of an outage, whatever is noticed first: %s", async (_, first, warning, last) => {
    process.env.OTEL_BSP_MAX_QUEUE_SIZE = "10";
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = "100";
    const telemetry = setupTracing({ endpoint: "http://127.0.0.1:1", metrics: false, warn });
    end(first);
    await telemetry.flush();
    end(36 - first);
    await telemetry.shutdown();
    expect(said()).toEqual([expect.stringMatching(warning), expect.stringMatching(last)]);
  });

  it("tells of spans that no longer find room, after an outage of another kind is over", () => {
    const warnings = new Warnings(warn);
    const url = "http://127.0.0.1:1/v1/traces";
    const endpoint = { url, shown: url, inTheClear: false };
    warnings.unreachable("traces", endpoint);
    warnings.dropped();
    warnings.arrived("traces");
    warnings.dropped();
    warnings.dropped();
    expect(said()).toEqual([expect.stringContaining("could not be sent"), expect.stringContaining("are dropped")]);
  });
});
