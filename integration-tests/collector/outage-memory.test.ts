import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it, jest } from "@jest/globals";
import { setupTracing } from "@suite/tracing/node";
import { freePort } from "../../scripts/free-port.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { killAll, startCollector, withCollector } from "./collector.js";
import { startFront } from "./front.js";
import { startReceiver } from "./receiver.js";
import { spansOf } from "./spans.js";

jest.setTimeout(120_000);
afterAll(killAll);

/** 64 MB of spans, and the requests that are made of them: three bytes in UTF-8 for two of a string, so 160 MB; and some room. */
const BOUND = 200 * 1024 * 1024;

interface Told {
  readonly grown: number;
  readonly warnings: readonly string[];
}

/** Ends 2,000 spans of 400 KB each, in a process of its own. */
async function endMany(endpoint: string, ...options: readonly string[]): Promise<Told> {
  const script = join(root, "integration-tests/collector/outage-memory.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, endpoint, ...options]);
  return JSON.parse(stdout) as Told;
}

it.each<[string, readonly string[]]>([
  ["as they are", []],
  ["redacted", ["redacted"]],
])("memory stays below 200 MB while nobody is at the endpoint, of 800 MB of spans, %s", async (_, options) => {
  const { grown, warnings } = await endMany(`http://127.0.0.1:${await freePort()}`, ...options);
  expect(grown).toBeLessThan(BOUND);
  expect(warnings).toEqual([expect.stringContaining("spans are dropped")]);
});

it("memory stays below 200 MB while a collector takes connections and never answers", async () => {
  const front = await startFront("");
  front.rest = "silence";
  const { grown, warnings } = await endMany(front.url);
  await front.close();
  expect(grown).toBeLessThan(BOUND);
  expect(warnings).toEqual([expect.stringContaining("spans are dropped")]);
});

withCollector("a collector that is there", () => {
  it("takes all of 300 spans that are too large for one request together", async () => {
    const receiver = await startReceiver();
    const real = await startCollector(receiver.url);
    const warnings: string[] = [];
    const telemetry = setupTracing({ endpoint: real.url, metrics: false, warn: (message) => warnings.push(message) });
    const tracer = telemetry.provider.getTracer("test");
    for (let i = 0; i < 300; i++) {
      tracer.startSpan("chat", { attributes: { content: "many words ".repeat(10_000) } }).end();
      if (i % 50 === 0) await telemetry.flush();
    }
    await telemetry.shutdown();
    await real.stop();
    await receiver.close();
    expect(warnings).toEqual([]);
    expect(new Set(spansOf(receiver.bodies).map(({ spanId }) => spanId)).size).toBe(300);
  });
});
