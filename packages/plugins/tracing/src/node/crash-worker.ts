// The thread that sends the spans of a process which crashes, while that waits.
import { workerData } from "node:worker_threads";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { type CrashData, revivedSpans } from "./crash-spans.js";
import { peer } from "./peer.js";

type Exporters = { readonly OTLPTraceExporter: new (options: object) => SpanExporter };

const { module, options, spans, done } = workerData as CrashData;

function end(): void {
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
}

try {
  const exporters = peer<Exporters>(module);
  if (exporters === undefined) end();
  else new exporters.OTLPTraceExporter(options).export(revivedSpans(spans) as never, end);
} catch {
  end();
}
