import { afterEach, expect, it } from "@jest/globals";
import { metrics, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { setupTracing } from "../src/node.js";
import { startReceiver } from "./receiver.js";
import { stopSdk } from "./support.js";

afterEach(stopSdk);

/** The warnings when two batches of each signal were answered so. */
async function warningsOf(protocol: "http/json" | "http/protobuf", answer: string | Uint8Array): Promise<string[]> {
  const receiver = await startReceiver(200, answer);
  const said: string[] = [];
  const endpoint = `http://127.0.0.1:${receiver.port}`;
  const telemetry = setupTracing({ endpoint, protocol, logs: true, warn: (text) => said.push(text) });
  const counter = metrics.getMeter("t").createCounter("c");
  for (let i = 0; i < 2; i++) {
    trace.getTracer("t").startSpan("s").end();
    logs.getLogger("t").emit({ body: "b" });
    counter.add(1);
    await telemetry.flush();
  }
  await telemetry.shutdown();
  await receiver.stop();
  return said;
}

it("tells once for each signal how much of it a collector refused that took the rest, and spans in all", async () => {
  const said = await warningsOf("http/json", '{"partialSuccess":{"rejectedSpans":"3"}}');
  const [spans, ...others] = said;
  expect(spans).toMatch(/127\.0\.0\.1:\d+\/v1\/traces accepted part of a request and rejected 3 spans/);
  expect(others.at(-1)).toContain("total spans lost: 6.");
  expect(said.filter((text) => text.includes("accepted part"))).toHaveLength(3);
});

it.each(["rejectedSpans", "rejectedDataPoints", "rejectedLogRecords"])("reads %s", async (field) => {
  const said = await warningsOf("http/json", JSON.stringify({ partialSuccess: { [field]: 5 } }));
  expect(said.filter((text) => text.includes("rejected 5"))).toHaveLength(3);
});

it("tells it of protobuf, too", async () => {
  // partial_success (1), a message of two bytes: rejected_* (1), 7.
  const said = await warningsOf("http/protobuf", Uint8Array.of(0x0a, 2, 0x08, 7));
  expect(said.filter((text) => /rejected 7 (?:spans|log records|metrics)/.test(text))).toHaveLength(3);
});

it("says nothing of an answer that refuses nothing, whatever it holds, and nothing that the server wrote", async () => {
  const odd = [
    {},
    { partialSuccess: {} },
    { partialSuccess: { rejectedSpans: "no", errorMessage: "card 4111" } },
    [],
    1,
  ];
  for (const answer of odd) expect(await warningsOf("http/json", JSON.stringify(answer))).toEqual([]);
  const [first] = await warningsOf("http/json", '{"partialSuccess":{"rejectedSpans":1,"errorMessage":"card 4111"}}');
  expect(first).not.toContain("4111");
});
