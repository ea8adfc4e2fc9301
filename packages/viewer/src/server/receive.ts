import type { IncomingMessage, ServerResponse } from "node:http";
import { ViewerError } from "../errors.js";
import { TooMany } from "../otlp/bounded.js";
import { type Encoding, requestIn, type Signal, spansIn } from "../otlp/decode.js";
import type { Span } from "../run/span.js";
import { Bodies, Busy, TooLarge } from "./body.js";
import { type Service, urlOf } from "./boundary.js";
import { isForeign, isLocal } from "./local.js";

const paths: Readonly<Record<string, Signal>> = {
  "/v1/traces": "traces",
  "/v1/logs": "logs",
  "/v1/metrics": "metrics",
};

const encodings: Readonly<Record<string, Encoding>> = {
  "application/json": "json",
  "application/x-protobuf": "protobuf",
};

/** Keeps the spans of one request, with their size in bytes. */
export type Keep = (spans: readonly Span[], bytes: number) => Promise<void>;

/**
 * Receives OTLP over HTTP: traces are kept, logs and metrics are accepted and dropped. A bad request receives an error
 * and has no other effect.
 */
export function receiver(keep: Keep): (port: number) => Service {
  const bodies = new Bodies();
  return (port) => ({
    answer: (request, response) => receive({ keep, bodies, port }, request, response),
    refuse: (response, error) =>
      refuse(response, statusOf(error), ViewerError.is(error) ? error.message : "The viewer failed."),
  });
}

/**
 * Returns the status of a refusal. After 503 an exporter sends the request again, when there may be memory or disk
 * space.
 */
function statusOf(error: unknown): number {
  if (!ViewerError.is(error)) return 500;
  if (error instanceof TooLarge || error instanceof TooMany) return 413;
  return error instanceof Busy || error.code === "ERR_VIEWER_DATA" ? 503 : 400;
}

interface Receiving {
  readonly keep: Keep;
  readonly bodies: Bodies;
  readonly port: number;
}

async function receive(
  { keep, bodies, port }: Receiving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // An exporter sends no origin. A page that sends one has no runs of this machine to report.
  if (!isLocal(request, port) || isForeign(request, port))
    return refuse(response, 403, "Only programs on this machine can send here.");
  const path = urlOf(request)?.pathname ?? "";
  const signal = Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (signal === undefined) return refuse(response, 404, "Send OTLP to /v1/traces, /v1/logs or /v1/metrics.");
  if (request.method !== "POST") return refuse(response, 405, "Send OTLP with POST.", { allow: "POST" });
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const encoding = Object.hasOwn(encodings, type) ? encodings[type] : undefined;
  if (encoding === undefined)
    return refuse(response, 415, "The content type of OTLP over HTTP is application/json or application/x-protobuf.");
  const rejected = await bodies.use(request, async (body) => {
    const object = requestIn(signal, encoding, body);
    if (signal !== "traces") return 0;
    const read = spansIn(object, encoding);
    await keep(read.spans, read.size);
    return read.rejected;
  });
  accept(response, encoding, rejected);
}

/** Returns the response of the protocol: empty, or the number of rejected spans. */
function accept(response: ServerResponse, encoding: Encoding, rejected: number): void {
  const why = "They have no valid trace id, span id or start.";
  if (encoding === "json") {
    const partial = rejected > 0 ? { partialSuccess: { rejectedSpans: `${rejected}`, errorMessage: why } } : {};
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(partial));
    return;
  }
  response
    .writeHead(200, { "content-type": "application/x-protobuf" })
    .end(rejected > 0 ? partialSuccess(rejected, why) : "");
}

/** `ExportTraceServiceResponse { partial_success { rejected_spans, error_message } }`, of less than 128 bytes. */
function partialSuccess(rejected: number, why: string): Buffer {
  const message = Buffer.from(why);
  const inner = Buffer.concat([Buffer.of(0x08), varint(rejected), Buffer.of(0x12, message.length), message]);
  return Buffer.concat([Buffer.of(0x0a, inner.length), inner]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let remaining = value;
  for (; remaining > 0x7f; remaining = Math.floor(remaining / 128)) bytes.push((remaining % 128) | 0x80);
  return Buffer.from([...bytes, remaining]);
}

/** Returns a refusal in the form of the protocol: an RPC status as JSON. */
function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ code: status === 404 ? 5 : status === 500 ? 13 : 3, message });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
