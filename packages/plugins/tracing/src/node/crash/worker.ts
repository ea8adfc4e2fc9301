// The thread that sends the spans of a process which crashes, while that waits.
import { workerData } from "node:worker_threads";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { peer } from "../peer.js";
import { type CrashData, OVER, revivedSpans, SENDING } from "./spans.js";

type Exporters = { readonly OTLPTraceExporter: new (options: object) => SpanExporter };

const { module, options, spans, state } = workerData as CrashData;

function become(next: number): void {
  Atomics.store(state, 0, next);
  Atomics.notify(state, 0);
}
const end = (): void => become(OVER);

try {
  const exporters = peer<Exporters>(module);
  if (exporters === undefined) end();
  else {
    const exporter = new exporters.OTLPTraceExporter(options);
    become(SENDING);
    exporter.export(revivedSpans(spans) as never, end);
  }
} catch {
  end();
}
