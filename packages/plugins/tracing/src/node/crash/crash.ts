import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { otlpHeaders } from "@suite/kit/otlp";
import { isCrashing, noteCrash } from "./crashing.js";
import { type CrashRequest, SENDING, STARTING, WORKER } from "./worker.js";

type Spans = Parameters<SpanExporter["export"]>[0];

/** Maximum time in milliseconds that the network delays the end of a crashing process. */
const LIMIT = 2000;
/** Maximum time in milliseconds that such a process waits for the worker to start: the machine may be busy. */
const STARTING_LIMIT = 5000;

/** A request that holds spans. */
interface SpanRequest {
  readonly url: string;
  /** Headers without those of the environment. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The exporters that may have spans to send. */
const senders = new Set<() => void>();

/**
 * Changes an exporter so that a worker sends its spans when the process crashes: Node ends the process without another
 * turn of its event loop. Spans that are being sent at that moment are sent again, with the same ids.
 *
 * @param requestOf creates the request for spans. Returns `undefined` if it cannot.
 */
export function survivingCrash(
  exporter: SpanExporter,
  requestOf: (spans: Spans) => SpanRequest | undefined,
): SpanExporter {
  const underWay = new Set<Spans>();
  const send = exporter.export.bind(exporter);
  const shutdown = exporter.shutdown.bind(exporter);
  const sendAtLast = (): void => {
    const spans = [...underWay].flat();
    const request = spans.length === 0 ? undefined : requestOf(spans);
    if (request !== undefined) sendInWorker(request);
  };
  senders.add(sendAtLast);
  exporter.export = (spans, done) => {
    underWay.add(spans);
    if (isCrashing()) return;
    send(spans, (result) => {
      underWay.delete(spans);
      done(result);
    });
  };
  exporter.shutdown = () => {
    senders.delete(sendAtLast);
    return shutdown();
  };
  return exporter;
}

/** Sends the spans that have ended and waits until they are sent. Called when the process is about to crash. */
export function sendBeforeCrash(flush: () => void): void {
  noteCrash();
  flush();
  for (const send of senders) send();
}

function sendInWorker({ url, headers, body }: SpanRequest): void {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const options: CrashRequest["options"] = {
    method: "POST",
    headers: {
      ...otlpHeaders(process.env["OTEL_EXPORTER_OTLP_HEADERS"]),
      ...otlpHeaders(process.env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"]),
      ...headers,
    },
    ca: fileOf("CERTIFICATE"),
    cert: fileOf("CLIENT_CERTIFICATE"),
    key: fileOf("CLIENT_KEY"),
  };
  const workerData: CrashRequest = { url, options, body, state };
  new Worker(WORKER, { eval: true, workerData, execArgv: [] }).on("error", () => {}).unref();
  Atomics.wait(state, 0, STARTING, STARTING_LIMIT);
  Atomics.wait(state, 0, SENDING, LIMIT);
}

/** Reads a TLS file that the environment names. Returns `undefined` if it is absent. */
function fileOf(option: string): Uint8Array | undefined {
  const { env } = process;
  const path = env[`OTEL_EXPORTER_OTLP_TRACES_${option}`] ?? env[`OTEL_EXPORTER_OTLP_${option}`];
  try {
    return path === undefined ? undefined : readFileSync(path);
  } catch {
    return undefined;
  }
}
