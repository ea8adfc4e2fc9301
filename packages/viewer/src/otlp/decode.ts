import protobuf from "protobufjs/light.js";
import { ViewerError } from "../errors.js";
import type { Span, SpanEvent, SpanLink } from "../run/span.js";
import { boundedReader, checkJson } from "./bounded.js";
import { isMessage } from "./json.js";
import { schema } from "./schema.js";
import { object, objects, resourceBounds, spanBounds, ValueReader } from "./values.js";

/** The signals of OTLP, by the last part of their path. */
export type Signal = "traces" | "logs" | "metrics";

/** The encodings of OTLP over HTTP. */
export type Encoding = "json" | "protobuf";

const root = protobuf.Root.fromJSON(schema).resolveAll();
const requests = {
  traces: root.lookupType("ExportTraceServiceRequest"),
  logs: root.lookupType("ExportLogsServiceRequest"),
  metrics: root.lookupType("ExportMetricsServiceRequest"),
};

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the body of a request as an object.
 *
 * @throws ViewerError `ERR_VIEWER_REQUEST` if it is not OTLP of that signal.
 */
export function requestIn(signal: Signal, encoding: Encoding, body: Buffer): Json {
  return encoding === "json" ? jsonIn(signal, body) : protobufIn(signal, body);
}

function jsonIn(signal: Signal, body: Buffer): Json {
  checkJson(body);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refused("the body is not JSON");
  }
  if (!isMessage(requests[signal], value)) throw refused("a field of the JSON has the wrong type");
  return value;
}

function protobufIn(signal: Signal, body: Buffer): Json {
  const type = requests[signal];
  try {
    return type.toObject(type.decode(boundedReader(body)), { longs: String, bytes: String }) as Json;
  } catch (error) {
    if (ViewerError.is(error)) throw error;
    throw refused("the body is not valid protobuf for this request");
  }
}

const refused = (why: string): ViewerError =>
  new ViewerError("ERR_VIEWER_REQUEST", `The OTLP request cannot be read: ${why}.`);

/** The most events, and the most links, that are kept of one span. */
const MOST_EVENTS = 10_000;
const MOST_LINKS = 1000;
/** The longest name of a span, an event or a scope, and the longest message of a status. */
const LONGEST_NAME = 1024;
const LONGEST_MESSAGE = 64 * 1024;
/** The memory that a span takes besides its values, in bytes. An estimate. */
const SPAN_BYTES = 512;

/** The spans of one request. */
export interface Received {
  readonly spans: readonly Span[];
  /** The number of spans without a valid id or start. */
  readonly rejected: number;
  /** The memory that the spans take, in bytes. An estimate. */
  readonly size: number;
}

/**
 * Reads the spans of a request for traces, each within bounds. A span that does not follow the protocol is left out and counted.
 *
 * @param encoding in JSON ids are hexadecimal, in protobuf bytes, which are base64 here.
 */
export function spansIn(request: Json, encoding: Encoding): Received {
  const idOf = encoding === "json" ? hexId : bytesId;
  const spans: Span[] = [];
  let rejected = 0;
  let size = 0;
  for (const resourceSpans of objects(request.resourceSpans)) {
    const resource = new ValueReader(resourceBounds).attributes(object(resourceSpans.resource).attributes);
    for (const scopeSpans of objects(resourceSpans.scopeSpans)) {
      const scope = new ValueReader(resourceBounds).name(object(scopeSpans.scope).name, LONGEST_NAME);
      for (const wire of objects(scopeSpans.spans)) {
        const reader = new ValueReader(spanBounds);
        const span = spanOf(wire, idOf, reader);
        if (span === undefined) rejected++;
        else spans.push({ ...span, resource, scope });
        size += reader.size + SPAN_BYTES;
      }
    }
  }
  return { spans, rejected, size };
}

type IdOf = (value: unknown, bytes: number) => string | undefined;

function spanOf(wire: Json, idOf: IdOf, reader: ValueReader): Omit<Span, "resource" | "scope"> | undefined {
  const traceId = idOf(wire.traceId, 16);
  const spanId = idOf(wire.spanId, 8);
  const start = time(wire.startTimeUnixNano);
  if (traceId === undefined || spanId === undefined || start === undefined) return undefined;
  const parentSpanId = idOf(wire.parentSpanId, 8);
  const { code, message } = object(wire.status);
  const statusMessage = reader.name(message, LONGEST_MESSAGE);
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: reader.name(wire.name, LONGEST_NAME),
    start,
    end: Math.max(start, time(wire.endTimeUnixNano) ?? start),
    status: statusOf(code),
    ...(statusMessage !== "" && { statusMessage }),
    attributes: reader.attributes(wire.attributes),
    events: eventsOf(objects(wire.events), start, reader),
    links: objects(wire.links)
      .slice(0, MOST_LINKS)
      .flatMap((link): readonly SpanLink[] => {
        const [trace, span] = [idOf(link.traceId, 16), idOf(link.spanId, 8)];
        if (trace === undefined || span === undefined) return [];
        return [{ traceId: trace, spanId: span, attributes: reader.attributes(link.attributes) }];
      }),
  };
}

function eventsOf(events: readonly Json[], start: number, reader: ValueReader): readonly SpanEvent[] {
  const included = events.slice(0, MOST_EVENTS).map(
    (event): SpanEvent => ({
      name: reader.name(event.name, LONGEST_NAME),
      time: time(event.timeUnixNano) ?? start,
      attributes: reader.attributes(event.attributes),
    }),
  );
  const more = events.length - included.length;
  return more === 0 ? included : [...included, { name: `(${more} events left out)`, time: start, attributes: {} }];
}

/** The status of a span: in JSON its number, or its name. */
function statusOf(code: unknown): Span["status"] {
  if (code === 2 || code === "STATUS_CODE_ERROR") return "error";
  return code === 1 || code === "STATUS_CODE_OK" ? "ok" : "unset";
}

/** Converts nanoseconds since the epoch to milliseconds, with the fraction that a number can hold. */
function time(value: unknown): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const digits = String(value);
  if (!/^\d{1,20}$/.test(digits)) return undefined;
  const nanos = BigInt(digits);
  return nanos === 0n ? undefined : Number(nanos / 1_000_000n) + Number(nanos % 1_000_000n) / 1e6;
}

const hexId: IdOf = (value, bytes) =>
  typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]+$/i.test(value) && !/^0+$/.test(value)
    ? value.toLowerCase()
    : undefined;

const bytesId: IdOf = (value, bytes) =>
  typeof value === "string" ? hexId(Buffer.from(value, "base64").toString("hex"), bytes) : undefined;
