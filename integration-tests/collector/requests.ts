import { gzipSync } from "node:zlib";

/** One request, as it is sent to the viewer and to a collector. */
export interface OtlpRequest {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A field of protobuf that holds bytes: a text, a message, a list of messages. */
function field(tag: number, ...content: readonly (string | Uint8Array)[]): Buffer {
  const body = Buffer.concat(content.map((each) => Buffer.from(each)));
  if (body.length > 127)
    return Buffer.concat([Buffer.of((tag << 3) | 2, (body.length & 127) | 128, body.length >> 7), body]);
  return Buffer.concat([Buffer.of((tag << 3) | 2, body.length), body]);
}

/** A field of 64 bits. */
function fixed(tag: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (tag << 3) | 1;
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
}

const TRACE = "5b8efff798038103d269b633813fc60c";
const SPAN = "eee19b7ec3c1b174";
const START = 1_700_000_000_000_000_000n;
const span = {
  traceId: TRACE,
  spanId: SPAN,
  name: "chat",
  kind: 3,
  startTimeUnixNano: `${START}`,
  endTimeUnixNano: `${START + 5n}`,
  attributes: [{ key: "n", value: { intValue: "42" } }],
};
const spans = (...all: readonly unknown[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] });
const logs = (...all: readonly unknown[]) => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: all }] }] });
const metrics = (...all: readonly unknown[]) =>
  JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: all }] }] });

/** A request of each signal, well made, in both encodings, and the member of it that holds all. */
const signals = {
  traces: {
    member: "resourceSpans",
    json: spans(span),
    protobuf: field(
      1,
      field(
        2,
        field(
          2,
          field(1, Buffer.from(TRACE, "hex")),
          field(2, Buffer.from(SPAN, "hex")),
          field(5, "chat"),
          fixed(7, START),
          fixed(8, START + 5n),
        ),
      ),
    ),
  },
  logs: {
    member: "resourceLogs",
    json: logs({ timeUnixNano: `${START}`, body: { stringValue: "hello" } }),
    protobuf: field(1, field(2, field(2, fixed(1, START), field(5, field(1, "hello"))))),
  },
  metrics: {
    member: "resourceMetrics",
    json: metrics({ name: "m", gauge: { dataPoints: [{ timeUnixNano: `${START}`, asInt: "1" }] } }),
    protobuf: field(1, field(2, field(2, field(1, "m"), field(5, field(1, fixed(3, START), fixed(6, 1n)))))),
  },
} as const;

type Signal = keyof typeof signals;
type Headers = Readonly<Record<string, string>>;

const gzip = { "content-encoding": "gzip" };

/** The requests of one signal in one encoding: each has a name, a body, and headers of its own where it needs some. */
const sentAs =
  (type: string) =>
  (signal: Signal, name: string, body: string | Uint8Array, more: Headers = {}): OtlpRequest => ({
    name,
    path: `/v1/${signal}`,
    headers: { "content-type": type, ...more },
    body,
  });
const json = sentAs("application/json");
const protobuf = sentAs("application/x-protobuf");

/** A request for a span that is as it should be, but for these members. */
const spanWith = (name: string, more: object): OtlpRequest => json("traces", name, spans({ ...span, ...more }));

/** A request for a span with this value of an attribute. */
const withValue = (name: string, value: unknown): OtlpRequest => spanWith(name, { attributes: [{ key: "n", value }] });

/** Requests of each signal, alike. */
const ofEach = <T>(requests: (signal: Signal, good: (typeof signals)[Signal]) => readonly T[]): readonly T[] =>
  (["traces", "logs", "metrics"] as const).flatMap((signal) => requests(signal, signals[signal]));

/** Requests that a receiver of OTLP takes. */
export const goodRequests: readonly OtlpRequest[] = [
  ...ofEach((signal, good) => [
    json(signal, `${signal} as JSON`, good.json),
    json(signal, `${signal} as JSON, packed`, gzipSync(good.json), gzip),
    json(signal, `${signal} as JSON, with a charset`, good.json, { "content-type": "application/json; charset=utf-8" }),
    json(signal, `no ${signal}, as JSON`, "{}"),
    json(signal, `a list of no ${signal}, as JSON`, `{"${good.member}":[]}`),
    protobuf(signal, `${signal} as protobuf`, good.protobuf),
    protobuf(signal, `${signal} as protobuf, packed`, gzipSync(good.protobuf), gzip),
    protobuf(signal, `no ${signal}, as protobuf`, ""),
    protobuf(signal, `${signal} in two pieces of protobuf`, Buffer.concat([good.protobuf, good.protobuf])),
    protobuf(
      signal,
      `${signal} with a field of a later version, as protobuf`,
      Buffer.concat([good.protobuf, field(15, "later")]),
    ),
    json(signal, `${signal} with a field of a later version, as JSON`, good.json.replace("{", '{"later":{"a":[1]},')),
  ]),
  spanWith("a time as a number", { startTimeUnixNano: 1_700_000_000_000_000 }),
  spanWith("an id in capitals", { traceId: TRACE.toUpperCase() }),
  json("traces", "null in the place of a list", '{"resourceSpans":null}'),
  json("traces", "null among resources", '{"resourceSpans":[null]}'),
  json("traces", "null among spans", spans(null)),
  spanWith("null in the place of a name", { name: null }),
  spanWith("null in the place of a status", { status: null }),
  spanWith("a status by its name", { status: { code: "STATUS_CODE_ERROR" } }),
  spanWith("null in the place of attributes", { attributes: null }),
  withValue("an integer as a number", { intValue: 42 }),
  spanWith("a span without a name", { name: undefined }),
  { ...spanWith("a query behind the path", {}), path: "/v1/traces?x=1" },
  json("traces", "another capital in the content type", spans(span), { "content-type": "Application/JSON" }),
];

/** Requests that a receiver of OTLP refuses. */
export const badRequests: readonly OtlpRequest[] = [
  json("traces", "JSON nested too deeply", `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  ...ofEach((signal, good) => [
    json(signal, `${signal} as text`, good.json, { "content-type": "text/plain" }),
    { ...json(signal, `${signal} of no content type`, good.json), headers: {} },
    json(signal, `${signal} as protobuf that says it is JSON`, good.protobuf),
    protobuf(signal, `${signal} as JSON that says it is protobuf`, good.json),
    json(signal, `${signal} as JSON, cut off`, good.json.slice(0, -3)),
    protobuf(signal, `${signal} as protobuf, cut off`, good.protobuf.subarray(0, -3)),
    json(signal, `${signal} as JSON, packed and cut off`, gzipSync(good.json).subarray(0, -12), gzip),
    protobuf(signal, `${signal} as protobuf, packed and cut off`, gzipSync(good.protobuf).subarray(0, -12), gzip),
    json(signal, `${signal} that say they are packed`, good.json, gzip),
    json(signal, `${signal} as a JSON list`, `[${good.json}]`),
    json(signal, `${signal} as a JSON text`, '"hello"'),
    json(signal, `${signal} as nothing that says it is JSON`, ""),
    { ...json(signal, `${signal} by GET`, ""), method: "GET" },
    { ...json(signal, `${signal} by PUT`, good.json), method: "PUT" },
    { ...json(signal, `${signal} at another version`, good.json), path: `/v2/${signal}` },
    { ...json(signal, `${signal} with a slash behind the path`, good.json), path: `/v1/${signal}/` },
    json(signal, `${signal} in an unknown packing`, good.json, { "content-encoding": "lzma" }),
  ]),
  { ...spanWith("a path of nothing", {}), path: "/" },
  json("traces", "a list that is an object", '{"resourceSpans":{}}'),
  json("traces", "a list that is a text", '{"resourceSpans":"x"}'),
  json("traces", "spans that are a text", '{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}'),
  json("traces", "a span that is a text", spans("x")),
  json("traces", "a resource that is a list", '{"resourceSpans":[{"resource":[]}]}'),
  spanWith("a name that is a number", { name: 7 }),
  spanWith("an id that is a number", { traceId: 7 }),
  spanWith("null in the place of an id", { traceId: null }),
  spanWith("an id that is no hexadecimal", { traceId: "x".repeat(32) }),
  spanWith("an id of another length", { traceId: "abcd" }),
  spanWith("a time that is a word", { startTimeUnixNano: "now" }),
  spanWith("a time below zero", { startTimeUnixNano: "-1" }),
  spanWith("attributes that are an object", { attributes: { n: 42 } }),
  withValue("an integer that is a word", { intValue: "many" }),
  withValue("a value that is a number", 7),
  json("logs", "a log record that is a text", logs("x")),
  json("metrics", "a metric that is a text", metrics("x")),
  spanWith("a status that is a text", { status: "bad" }),
  withValue("a value of two types", { intValue: true }),
  json("logs", "a log record's body that is a text", logs({ body: "x" })),
  json("metrics", "a metric's name that is a number", metrics({ name: 7 })),
  protobuf("logs", "logs of random protobuf inside", field(1, field(2, Uint8Array.of(0x12, 0xff)))),
  protobuf("metrics", "metrics of random protobuf inside", field(1, field(2, Uint8Array.of(0x12, 0xff)))),
  protobuf("traces", "protobuf of random bytes", Uint8Array.of(0x0a, 0xff, 0xff, 0xff)),
  protobuf(
    "traces",
    "protobuf with an id of another length",
    field(1, field(2, field(2, field(1, Uint8Array.of(1, 2))))),
  ),
  spanWith("a request that is too large", { name: "x".repeat(70_000_000) }),
  json(
    "traces",
    "a packed request that is too large",
    gzipSync(spans({ ...span, name: "x".repeat(70_000_000) })),
    gzip,
  ),
];

/** A request that one of the two takes and the other refuses, with the reason why it stays so. */
export interface Differing extends OtlpRequest {
  readonly takes: "viewer" | "collector";
  readonly because: string;
}

const viewerTakes = (request: OtlpRequest, because: string): Differing => ({ ...request, takes: "viewer", because });
const collectorTakes = (request: OtlpRequest, because: string): Differing => ({
  ...request,
  takes: "collector",
  because,
});

export const differingRequests: readonly Differing[] = [
  ...ofEach((signal, good) => [
    collectorTakes(
      json(signal, `${signal} as null`, "null"),
      "null is no request of OTLP; the Collector's reader takes it for an empty one",
    ),
    collectorTakes(
      json(signal, `two requests of ${signal} in one`, good.json + good.json),
      "it reads the first and drops the second in silence; what would be lost is not acknowledged here",
    ),
  ]),
  collectorTakes(
    spanWith("no id", { traceId: undefined }),
    "it passes on what it is given; a span without ids can be shown nowhere, and the viewer's answer counts it as rejected",
  ),
  collectorTakes(
    spanWith("no start", { startTimeUnixNano: undefined }),
    "as one without ids: it has no place on any page",
  ),
  collectorTakes(spanWith("an id of zeros", { traceId: "0".repeat(32) }), "zeros are no id: as one without"),
  viewerTakes(
    spanWith("a request of 30 MB", { name: "x".repeat(30_000_000) }),
    "a matter of bounds: the Collector's is 20 MiB unless it is told another, the viewer's 64 MiB",
  ),
  viewerTakes(
    json("traces", "packed as identity", spans(span), { "content-encoding": "identity" }),
    "HTTP has that word for nothing at all",
  ),
  viewerTakes(
    spanWith("a kind of no name", { kind: "SPAN_KIND_NONE_OF_THESE" }),
    "the viewer looks at no field that it does not read",
  ),
  collectorTakes(
    json("traces", "bytes that are no UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)),
    "JSON is UTF-8",
  ),
  viewerTakes(
    protobuf("traces", "protobuf with a field of another type", Uint8Array.of(0x08, 0x01)),
    "protobuf has it that such a field is an unknown one",
  ),
  collectorTakes(
    protobuf(
      "traces",
      "protobuf with a text that is no UTF-8",
      field(1, field(2, field(2, field(5, Uint8Array.of(0xff, 0xfe))))),
    ),
    "a text of protobuf is UTF-8",
  ),
];
