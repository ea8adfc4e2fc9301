import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createNoopMeter } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { type Delta, definePlugin, type ModelRequest, message, type Plugin, text } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { below, defineGroup } from "./group.js";
import type { Case } from "./measure.js";

const CHUNKS = 1000;
const request: ModelRequest = {
  messages: [message("user", "Hello")],
  tools: [],
  model: "gpt-5",
  provider: "openai",
  server: { address: "api.openai.com" },
  stream: true,
};
const deltas = Array.from(
  { length: CHUNKS },
  (_, index): Delta => ({ type: "part", at: "0", part: text(`${index} `) }),
);

async function* words(): AsyncGenerator<Delta, void> {
  yield* deltas;
}

const other = definePlugin({ name: "other", model: async (_, callNext) => callNext() });

function streamed(plugins: readonly Plugin[]): Case {
  const stack = new PluginStack(plugins);
  return async () => {
    const run = stack.begin({ agent: { name: "bench" } });
    const outcome = await stack.call("model", run, request, async (model) => model.respond({ stream: words() }));
    for await (const _ of outcome);
    await run.end();
  };
}

/** Half an hour, in milliseconds: no export of metrics happens in a round. */
const SELDOM = 30 * 60 * 1000;

/** A provider as programs make it that have OpenTelemetry already. */
function applicationMeterProvider(): MeterProvider {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  return new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: SELDOM })],
  });
}

/** Starts a server that accepts all requests. */
async function backend(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

export const tracingStream = defineGroup({
  name: "tracing/stream",
  about:
    `One chunk of a streamed answer of ${CHUNKS} text deltas that tracing watches; its span, started, ended and sent, is shared out among ` +
    "them. With metrics it is noted how long each chunk took, by the conventions: a provider of one's own does that with the SDK's histogram, " +
    "which looks attributes up anew for each value.",
  unit: "chunk",
  units: CHUNKS,
  async open() {
    const server = await backend();
    const { port } = server.address() as AddressInfo;
    const telemetry = setupTracing({
      endpoint: `http://127.0.0.1:${port}`,
      metrics: { interval: SELDOM },
      flushOnExit: false,
    });
    const meterProvider = applicationMeterProvider();
    return {
      cases: {
        "no tracing": streamed([other]),
        spans: streamed([tracing({ meterProvider: { getMeter: () => createNoopMeter() } }), other]),
        "spans and metrics": streamed([tracing(), other]),
        "the same, with a meter provider of one's own": streamed([tracing({ meterProvider }), other]),
      },
      async close() {
        await telemetry.shutdown();
        await meterProvider.shutdown();
        server.close();
      },
    };
  },
  figures: [
    {
      name: "added by spans, microseconds",
      ratio: (time) => (time.spans - time["no tracing"]) / 1000,
      aim: below(1),
    },
    {
      name: "added by spans and metrics, microseconds",
      ratio: (time) => (time["spans and metrics"] - time["no tracing"]) / 1000,
      aim: below(1),
    },
    {
      name: "the same, with a meter provider of one's own",
      ratio: (time) => (time["the same, with a meter provider of one's own"] - time["no tracing"]) / 1000,
    },
    { name: "spans / no tracing", ratio: (time) => time.spans / time["no tracing"] },
  ],
});
