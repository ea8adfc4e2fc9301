import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import { isCrashing, noteCrash } from "./crashing.js";
import { type CrashData, LOADING, plainSpans, SENDING } from "./spans.js";

type Spans = Parameters<SpanExporter["export"]>[0];

/** The longest that a program which crashes is held up by the network, in milliseconds. */
const LIMIT = 2000;
/** The longest that it waits for the thread to load the exporter, in milliseconds: a machine may be busy when a program crashes. */
const LOADING_LIMIT = 5000;

const worker = new URL("./worker.js", import.meta.url);

/** Exporters that have something to send. */
const senders = new Set<() => void>();

/**
 * Lets an exporter of spans send what it has in another thread, while this one waits, where the process crashes: Node ends
 * it without another turn of its event loop. What was under way then is sent again, with the same ids.
 *
 * @param made what the exporter was made of, to be made again there.
 */
export function survivingCrash(exporter: SpanExporter, made: Pick<CrashData, "module" | "options">): SpanExporter {
  const underWay = new Set<Spans>();
  const send = exporter.export.bind(exporter);
  const shutdown = exporter.shutdown.bind(exporter);
  const sendAtLast = (): void => sendInWorker(made, [...underWay].flat());
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

/** Sends what has ended, now. To be called when the process is about to crash. */
export function sendBeforeCrash(flush: () => void): void {
  noteCrash();
  flush();
  for (const send of senders) send();
}

function sendInWorker(made: Pick<CrashData, "module" | "options">, spans: Spans): void {
  // A bundler may have left it out.
  if (spans.length === 0 || !existsSync(fileURLToPath(worker))) return;
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: CrashData = { ...made, state, spans: plainSpans(spans) };
  new Worker(worker, { workerData, execArgv: [] }).on("error", () => {}).unref();
  Atomics.wait(state, 0, LOADING, LOADING_LIMIT);
  Atomics.wait(state, 0, SENDING, LIMIT);
}
