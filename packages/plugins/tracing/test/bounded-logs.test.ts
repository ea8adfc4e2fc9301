import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { logs } from "@opentelemetry/api-logs";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { boundedLogs } from "../src/node/export/bounded-logs.js";
import { setupTracing } from "../src/node.js";
import { startReceiver } from "./receiver.js";
import { stopSdk } from "./support.js";

afterEach(() => {
  delete process.env.OTEL_BLRP_MAX_QUEUE_SIZE;
  logs.disable();
  stopSdk();
});

const MEGABYTE = 1024 * 1024;
/** Text of one megabyte in memory, by the estimate. */
const megabyte = "x".repeat(MEGABYTE / 2);
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A provider with an exporter that answers when it is told to. */
const sending = (mostWaiting?: number) => {
  const open: (() => void)[] = [];
  const state = { taken: 0, dropped: 0 };
  const exporter = {
    export(records: readonly unknown[], done: (result: { code: number }) => void) {
      state.taken += records.length;
      open.push(() => done({ code: 0 }));
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const dropped = () => {
    state.dropped++;
  };
  const processor = boundedLogs(
    exporter,
    { mostWaiting, dropped },
    (counting) => new BatchLogRecordProcessor({ exporter: counting, scheduledDelayMillis: 3_600_000 }),
  );
  const logger = new LoggerProvider({ processors: [processor] }).getLogger("t");
  const answer = async () => {
    await settled();
    for (const done of open.splice(0)) done();
    await settled();
  };
  return { state, emit: (body: Parameters<typeof logger.emit>[0]) => logger.emit(body), answer };
};

describe("log records on their way out", () => {
  it("are sent once there are four megabytes of them, and not before, wherever the text stands", async () => {
    const { state, emit, answer } = sending();
    emit({ body: megabyte });
    emit({ body: { deep: [{ deeper: megabyte }] } });
    emit({ attributes: { text: megabyte } });
    await settled();
    expect(state.taken).toBe(0);
    emit({ attributes: { deep: [megabyte] } });
    await answer();
    expect(state.taken).toBe(4);
  });

  it("take at most 64 MB while they cannot be sent, and free the space when they are sent", async () => {
    const { state, emit, answer } = sending();
    for (let i = 0; i < 100; i++) emit({ body: megabyte });
    await settled();
    expect(state.dropped).toBe(100 - 63);
    await answer();
    for (let i = 0; i < 4; i++) emit({ body: megabyte });
    await answer();
    expect(state.dropped).toBe(100 - 63);
  });

  it("are no more than was said while they wait, whatever their size", () => {
    const { state, emit } = sending(3);
    for (let i = 0; i < 5; i++) emit({ body: "short" });
    expect(state.dropped).toBe(2);
  });

  it("are measured though they hold themselves", () => {
    const { state, emit } = sending();
    const body: Record<string, never> = {};
    Reflect.set(body, "self", body);
    Reflect.set(body, "again", [body, body]);
    emit({ body });
    expect(state.dropped).toBe(0);
  });
});

it("says once that log records are dropped", async () => {
  process.env.OTEL_BLRP_MAX_QUEUE_SIZE = "2";
  const warn = jest.fn<(message: string) => void>();
  const receiver = await startReceiver();
  const telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, logs: true, metrics: false, warn });
  for (let i = 0; i < 10; i++) logs.getLogger("t").emit({ body: "hello" });
  await telemetry.shutdown();
  await receiver.stop();
  expect(warn.mock.calls).toEqual([[expect.stringContaining("log records are dropped")]]);
});
