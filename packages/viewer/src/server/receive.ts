import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ViewerError } from "../errors.js";
import { type Encoding, requestIn, type Signal, spansIn } from "../otlp/decode.js";
import type { Span } from "../run/span.js";
import { bodyOf, TooLarge } from "./body.js";
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

/** Keeps the spans of one request, which came in so many bytes. */
export type Keep = (spans: readonly Span[], bytes: number) => Promise<void> | undefined;

/** Receives OTLP over HTTP: traces are kept, logs and metrics are taken and let go. A bad request is answered, and harms nothing. */
export const receiver =
  (keep: Keep) =>
  (port: number): RequestListener =>
  (request, response) => {
    receive(keep, port, request, response).catch((error: unknown) => {
      const status = error instanceof TooLarge ? 413 : ViewerError.is(error) ? statusOf(error) : 500;
      const said = ViewerError.is(error) ? error.message : "The viewer failed.";
      if (!response.headersSent) refuse(response, status, said);
    });
  };

/** The status of a refusal: what the disk refuses may be sent again. */
const statusOf = ({ code }: ViewerError): number => (code === "ERR_VIEWER_DATA" ? 503 : 400);

async function receive(keep: Keep, port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // An exporter has no origin: a page that sends has none of this machine's runs to tell.
  if (!isLocal(request, port) || isForeign(request, port))
    return refuse(response, 403, "Only programs of this machine may send here.");
  const signal = paths[new URL(request.url ?? "", "http://localhost").pathname];
  if (signal === undefined) return refuse(response, 404, "OTLP is sent to /v1/traces, /v1/logs or /v1/metrics.");
  if (request.method !== "POST") return refuse(response, 405, "OTLP is sent by POST.", { allow: "POST" });
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const encoding = Object.hasOwn(encodings, type) ? encodings[type] : undefined;
  if (encoding === undefined)
    return refuse(response, 415, "The content type of OTLP over HTTP is application/json or application/x-protobuf.");
  const body = await bodyOf(request);
  const object = requestIn(signal, encoding, body);
  let rejected = 0;
  if (signal === "traces") {
    const read = spansIn(object, encoding);
    rejected = read.rejected;
    await keep(read.spans, body.length);
  }
  accept(response, encoding, rejected);
}

/** The answer of the protocol: empty, or how many spans were refused. */
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
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Buffer.from([...bytes, left]);
}

/** A refusal as the protocol has it: a status of the RPC, as JSON. */
function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ code: status === 404 ? 5 : status === 500 ? 13 : 3, message });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
