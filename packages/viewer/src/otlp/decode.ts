import protobuf from "protobufjs/light.js";
import { ViewerError } from "../errors.js";
import type { Attributes, Span, SpanEvent, SpanLink } from "../run/span.js";
import { isMessage } from "./json.js";
import { schema } from "./schema.js";

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
 * The body of a request as an object. @throws ViewerError `ERR_VIEWER_REQUEST` where it is no OTLP of that signal.
 */
export function requestIn(signal: Signal, encoding: Encoding, body: Buffer): Json {
  return encoding === "json" ? jsonIn(signal, body) : protobufIn(signal, body);
}

function jsonIn(signal: Signal, body: Buffer): Json {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refused("the body is no JSON");
  }
  if (!isMessage(requests[signal], value)) throw refused("a part of the JSON is of another type than the protocol has");
  return value;
}

function protobufIn(signal: Signal, body: Buffer): Json {
  const type = requests[signal];
  try {
    return type.toObject(type.decode(body), { longs: String, bytes: String }) as Json;
  } catch {
    throw refused("the body is no protobuf of that request");
  }
}

const refused = (why: string): ViewerError =>
  new ViewerError("ERR_VIEWER_REQUEST", `This is no OTLP request that can be read: ${why}.`);

/**
 * The spans of a request for traces. What is not as the protocol has it is left out, and counted as rejected.
 *
 * @param encoding in JSON ids are hexadecimal, in protobuf bytes, which stand here in base64.
 */
export function spansIn(
  request: Json,
  encoding: Encoding,
): { readonly spans: readonly Span[]; readonly rejected: number } {
  const idOf = encoding === "json" ? hexId : bytesId;
  const spans: Span[] = [];
  let rejected = 0;
  for (const resourceSpans of objects(request.resourceSpans)) {
    const resource = attributesOf(object(resourceSpans.resource).attributes);
    for (const scopeSpans of objects(resourceSpans.scopeSpans)) {
      const scope = text(object(scopeSpans.scope).name);
      for (const wire of objects(scopeSpans.spans)) {
        const span = spanOf(wire, idOf);
        if (span === undefined) rejected++;
        else spans.push({ ...span, resource, scope });
      }
    }
  }
  return { spans, rejected };
}

type IdOf = (value: unknown, bytes: number) => string | undefined;

function spanOf(wire: Json, idOf: IdOf): Omit<Span, "resource" | "scope"> | undefined {
  const traceId = idOf(wire.traceId, 16);
  const spanId = idOf(wire.spanId, 8);
  const start = time(wire.startTimeUnixNano);
  if (traceId === undefined || spanId === undefined || start === undefined) return undefined;
  const parentSpanId = idOf(wire.parentSpanId, 8);
  const { code, message } = object(wire.status);
  const statusMessage = text(message);
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: text(wire.name),
    start,
    end: Math.max(start, time(wire.endTimeUnixNano) ?? start),
    status: statusOf(code),
    ...(statusMessage !== "" && { statusMessage }),
    attributes: attributesOf(wire.attributes),
    events: objects(wire.events).map(
      (event): SpanEvent => ({
        name: text(event.name),
        time: time(event.timeUnixNano) ?? start,
        attributes: attributesOf(event.attributes),
      }),
    ),
    links: objects(wire.links).flatMap((link): readonly SpanLink[] => {
      const [trace, span] = [idOf(link.traceId, 16), idOf(link.spanId, 8)];
      if (trace === undefined || span === undefined) return [];
      return [{ traceId: trace, spanId: span, attributes: attributesOf(link.attributes) }];
    }),
  };
}

/** The status of a span: in JSON its number, or its name. */
function statusOf(code: unknown): Span["status"] {
  if (code === 2 || code === "STATUS_CODE_ERROR") return "error";
  return code === 1 || code === "STATUS_CODE_OK" ? "ok" : "unset";
}

/** Deeper values are shown as what they are: too deep. */
const DEEPEST = 32;

function attributesOf(list: unknown): Attributes {
  const attributes: Record<string, unknown> = Object.create(null);
  for (const { key, value } of objects(list))
    if (typeof key === "string") attributes[key] = readValue(object(value), 0);
  return attributes;
}

function readValue(value: Json, depth: number): unknown {
  if (depth > DEEPEST) return "(nested too deeply)";
  if (typeof value.stringValue === "string") return value.stringValue;
  if (typeof value.boolValue === "boolean") return value.boolValue;
  if (value.intValue !== undefined) return integer(value.intValue);
  if (value.doubleValue !== undefined) return Number(value.doubleValue);
  if (value.arrayValue !== undefined)
    return objects(object(value.arrayValue).values).map((each) => readValue(each, depth + 1));
  if (value.kvlistValue !== undefined) {
    const members: Record<string, unknown> = Object.create(null);
    for (const { key, value: member } of objects(object(value.kvlistValue).values))
      if (typeof key === "string") members[key] = readValue(object(member), depth + 1);
    return members;
  }
  return typeof value.bytesValue === "string" ? value.bytesValue : null;
}

/** An integer as a number where that holds it, else as its digits. */
function integer(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value).slice(0, 20);
}

/** Nanoseconds since the epoch as milliseconds, with what a number holds of the rest. */
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

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

const objects = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((each): each is Json => typeof each === "object" && each !== null) : [];

const text = (value: unknown): string => (typeof value === "string" ? value : "");
