import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

/** One request, as it is sent to the viewer and to a collector. */
export interface OtlpRequest {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

const json = { "content-type": "application/json" };
const protobuf = { "content-type": "application/x-protobuf" };
const gzip = { "content-encoding": "gzip" };

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
const attribute = { key: "n", value: { intValue: "42" } };
const span = {
  traceId: TRACE,
  spanId: SPAN,
  name: "chat",
  kind: 3,
  startTimeUnixNano: `${START}`,
  endTimeUnixNano: `${START + 5n}`,
  attributes: [attribute],
};
const traces = (one: object = span) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [one] }] }] });

/** A request of each signal, well made, in both encodings. */
const good = {
  traces: {
    json: traces(),
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
    json: JSON.stringify({
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: `${START}`, body: { stringValue: "hello" } }] }] }],
    }),
    protobuf: field(1, field(2, field(2, fixed(1, START), field(5, field(1, "hello"))))),
  },
  metrics: {
    json: JSON.stringify({
      resourceMetrics: [
        {
          scopeMetrics: [
            { metrics: [{ name: "m", gauge: { dataPoints: [{ timeUnixNano: `${START}`, asInt: "1" }] } }] },
          ],
        },
      ],
    }),
    protobuf: field(1, field(2, field(2, field(1, "m"), field(5, field(1, fixed(3, START), fixed(6, 1n)))))),
  },
} as const;

const signals = ["traces", "logs", "metrics"] as const;

/** Requests that a receiver of OTLP takes. */
export const goodRequests: readonly OtlpRequest[] = [
  ...signals.flatMap((signal): readonly OtlpRequest[] => {
    const path = `/v1/${signal}`;
    const of = good[signal];
    return [
      { name: `${signal} as JSON`, path, headers: json, body: of.json },
      { name: `${signal} as JSON, packed`, path, headers: { ...json, ...gzip }, body: gzipSync(of.json) },
      {
        name: `${signal} as JSON, with a charset`,
        path,
        headers: { "content-type": "application/json; charset=utf-8" },
        body: of.json,
      },
      { name: `no ${signal}, as JSON`, path, headers: json, body: "{}" },
      {
        name: `a list of no ${signal}, as JSON`,
        path,
        headers: json,
        body: `{"resource${signal === "traces" ? "Spans" : signal === "logs" ? "Logs" : "Metrics"}":[]}`,
      },
      { name: `${signal} as protobuf`, path, headers: protobuf, body: of.protobuf },
      { name: `${signal} as protobuf, packed`, path, headers: { ...protobuf, ...gzip }, body: gzipSync(of.protobuf) },
      { name: `no ${signal}, as protobuf`, path, headers: protobuf, body: "" },
      {
        name: `${signal} in two pieces of protobuf`,
        path,
        headers: protobuf,
        body: Buffer.concat([of.protobuf, of.protobuf]),
      },
      {
        name: `${signal} with a field of a later version, as protobuf`,
        path,
        headers: protobuf,
        body: Buffer.concat([of.protobuf, field(15, "later")]),
      },
      {
        name: `${signal} with a field of a later version, as JSON`,
        path,
        headers: json,
        body: of.json.replace("{", '{"later":{"a":[1]},'),
      },
    ];
  }),
  {
    name: "a time as a number",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, startTimeUnixNano: 1_700_000_000_000_000 }),
  },
  {
    name: "an id in capitals",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, traceId: TRACE.toUpperCase() }),
  },
  { name: "null in the place of a list", path: "/v1/traces", headers: json, body: '{"resourceSpans":null}' },
  { name: "null among resources", path: "/v1/traces", headers: json, body: '{"resourceSpans":[null]}' },
  {
    name: "null among spans",
    path: "/v1/traces",
    headers: json,
    body: '{"resourceSpans":[{"scopeSpans":[{"spans":[null]}]}]}',
  },
  { name: "null in the place of a name", path: "/v1/traces", headers: json, body: traces({ ...span, name: null }) },
  { name: "null in the place of a status", path: "/v1/traces", headers: json, body: traces({ ...span, status: null }) },
  {
    name: "a status by its name",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, status: { code: "STATUS_CODE_ERROR" } }),
  },
  {
    name: "null in the place of attributes",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, attributes: null }),
  },
  {
    name: "an integer as a number",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, attributes: [{ key: "n", value: { intValue: 42 } }] }),
  },
  { name: "a span without a name", path: "/v1/traces", headers: json, body: traces({ ...span, name: undefined }) },
  { name: "a query behind the path", path: "/v1/traces?x=1", headers: json, body: traces() },
  {
    name: "another capital in the content type",
    path: "/v1/traces",
    headers: { "content-type": "Application/JSON" },
    body: traces(),
  },
];

/** Requests that a receiver of OTLP refuses. */
export const badRequests: readonly OtlpRequest[] = [
  ...signals.flatMap((signal): readonly OtlpRequest[] => {
    const path = `/v1/${signal}`;
    const of = good[signal];
    return [
      { name: `${signal} as text`, path, headers: { "content-type": "text/plain" }, body: of.json },
      { name: `${signal} of no content type`, path, headers: {}, body: of.json },
      { name: `${signal} as protobuf that says it is JSON`, path, headers: json, body: of.protobuf },
      { name: `${signal} as JSON that says it is protobuf`, path, headers: protobuf, body: of.json },
      { name: `${signal} as JSON, cut off`, path, headers: json, body: of.json.slice(0, -3) },
      { name: `${signal} as protobuf, cut off`, path, headers: protobuf, body: of.protobuf.subarray(0, -3) },
      {
        name: `${signal} as JSON, packed and cut off`,
        path,
        headers: { ...json, ...gzip },
        body: gzipSync(of.json).subarray(0, -12),
      },
      {
        name: `${signal} as protobuf, packed and cut off`,
        path,
        headers: { ...protobuf, ...gzip },
        body: gzipSync(of.protobuf).subarray(0, -12),
      },
      { name: `${signal} that say they are packed`, path, headers: { ...json, ...gzip }, body: of.json },
      { name: `${signal} as a JSON list`, path, headers: json, body: `[${of.json}]` },
      { name: `${signal} as a JSON text`, path, headers: json, body: '"hello"' },
      { name: `${signal} as nothing that says it is JSON`, path, headers: json, body: "" },
      { name: `${signal} by GET`, path, method: "GET", headers: json, body: "" },
      { name: `${signal} by PUT`, path, method: "PUT", headers: json, body: of.json },
      { name: `${signal} at another version`, path: `/v2/${signal}`, headers: json, body: of.json },
      { name: `${signal} with a slash behind the path`, path: `${path}/`, headers: json, body: of.json },
      {
        name: `${signal} in an unknown packing`,
        path,
        headers: { ...json, "content-encoding": "lzma" },
        body: of.json,
      },
    ];
  }),
  { name: "a path of nothing", path: "/", headers: json, body: traces() },
  { name: "a list that is an object", path: "/v1/traces", headers: json, body: '{"resourceSpans":{}}' },
  { name: "a list that is a text", path: "/v1/traces", headers: json, body: '{"resourceSpans":"x"}' },
  {
    name: "spans that are a text",
    path: "/v1/traces",
    headers: json,
    body: '{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}',
  },
  {
    name: "a span that is a text",
    path: "/v1/traces",
    headers: json,
    body: '{"resourceSpans":[{"scopeSpans":[{"spans":["x"]}]}]}',
  },
  { name: "a resource that is a list", path: "/v1/traces", headers: json, body: '{"resourceSpans":[{"resource":[]}]}' },
  { name: "a name that is a number", path: "/v1/traces", headers: json, body: traces({ ...span, name: 7 }) },
  { name: "an id that is a number", path: "/v1/traces", headers: json, body: traces({ ...span, traceId: 7 }) },
  { name: "null in the place of an id", path: "/v1/traces", headers: json, body: traces({ ...span, traceId: null }) },
  {
    name: "an id that is no hexadecimal",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, traceId: "x".repeat(32) }),
  },
  { name: "an id of another length", path: "/v1/traces", headers: json, body: traces({ ...span, traceId: "abcd" }) },
  {
    name: "a time that is a word",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, startTimeUnixNano: "now" }),
  },
  { name: "a time below zero", path: "/v1/traces", headers: json, body: traces({ ...span, startTimeUnixNano: "-1" }) },
  {
    name: "attributes that are an object",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, attributes: { n: 42 } }),
  },
  {
    name: "an integer that is a word",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, attributes: [{ key: "n", value: { intValue: "many" } }] }),
  },
  {
    name: "a value that is a number",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, attributes: [{ key: "n", value: 7 }] }),
  },
  {
    name: "a log record that is a text",
    path: "/v1/logs",
    headers: json,
    body: '{"resourceLogs":[{"scopeLogs":[{"logRecords":["x"]}]}]}',
  },
  {
    name: "a metric that is a text",
    path: "/v1/metrics",
    headers: json,
    body: '{"resourceMetrics":[{"scopeMetrics":[{"metrics":["x"]}]}]}',
  },
  { name: "a status that is a text", path: "/v1/traces", headers: json, body: traces({ ...span, status: "bad" }) },
  {
    name: "a value of two types",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, attributes: [{ key: "n", value: { intValue: true } }] }),
  },
  {
    name: "a log record's body that is a text",
    path: "/v1/logs",
    headers: json,
    body: '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":"x"}]}]}]}',
  },
  {
    name: "a metric's name that is a number",
    path: "/v1/metrics",
    headers: json,
    body: '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":7}]}]}]}',
  },
  {
    name: "logs of random protobuf inside",
    path: "/v1/logs",
    headers: protobuf,
    body: field(1, field(2, Uint8Array.of(0x12, 0xff))),
  },
  {
    name: "metrics of random protobuf inside",
    path: "/v1/metrics",
    headers: protobuf,
    body: field(1, field(2, Uint8Array.of(0x12, 0xff))),
  },
  {
    name: "protobuf of random bytes",
    path: "/v1/traces",
    headers: protobuf,
    body: Uint8Array.of(0x0a, 0xff, 0xff, 0xff),
  },
  {
    name: "protobuf with an id of another length",
    path: "/v1/traces",
    headers: protobuf,
    body: field(1, field(2, field(2, field(1, Uint8Array.of(1, 2))))),
  },
  {
    name: "a request that is too large",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, name: "x".repeat(70_000_000) }),
  },
  {
    name: "a packed request that is too large",
    path: "/v1/traces",
    headers: { ...json, ...gzip },
    body: gzipSync(traces({ ...span, name: "x".repeat(70_000_000) })),
  },
];

/** A request that one of the two takes and the other refuses, with the reason why it stays so. */
export interface Differing extends OtlpRequest {
  readonly takes: "viewer" | "collector";
  readonly because: string;
}

export const differingRequests: readonly Differing[] = [
  ...signals.flatMap((signal): readonly Differing[] => {
    const path = `/v1/${signal}`;
    const of = good[signal];
    return [
      {
        name: `${signal} as null`,
        path,
        headers: json,
        body: "null",
        takes: "collector",
        because: "null is no request of OTLP; the Collector's reader takes it for an empty one",
      },
      {
        name: `two requests of ${signal} in one`,
        path,
        headers: json,
        body: of.json + of.json,
        takes: "collector",
        because: "it reads the first and drops the second in silence; what would be lost is not acknowledged here",
      },
    ];
  }),
  {
    name: "no id",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, traceId: undefined }),
    takes: "collector",
    because:
      "it passes on what it is given; a span without ids can be shown nowhere, and the viewer's answer counts it as rejected",
  },
  {
    name: "no start",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, startTimeUnixNano: undefined }),
    takes: "collector",
    because: "as one without ids: it has no place on any page",
  },
  {
    name: "an id of zeros",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, traceId: "0".repeat(32) }),
    takes: "collector",
    because: "zeros are no id: as one without",
  },
  {
    name: "a request of 30 MB",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, name: "x".repeat(30_000_000) }),
    takes: "viewer",
    because: "a matter of bounds: the Collector's is 20 MiB unless it is told another, the viewer's 64 MiB",
  },
  {
    name: "packed as identity",
    path: "/v1/traces",
    headers: { ...json, "content-encoding": "identity" },
    body: traces(),
    takes: "viewer",
    because: "HTTP has that word for nothing at all",
  },
  {
    name: "a kind of no name",
    path: "/v1/traces",
    headers: json,
    body: traces({ ...span, kind: "SPAN_KIND_NONE_OF_THESE" }),
    takes: "viewer",
    because: "the viewer looks at no field that it does not read",
  },
  {
    name: "bytes that are no UTF-8",
    path: "/v1/traces",
    headers: json,
    body: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
    takes: "collector",
    because: "JSON is UTF-8",
  },
  {
    name: "JSON nested too deeply",
    path: "/v1/traces",
    headers: json,
    body: `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    takes: "viewer",
    because: "it is in a field that nobody reads",
  },
  {
    name: "protobuf with a field of another type",
    path: "/v1/traces",
    headers: protobuf,
    body: Uint8Array.of(0x08, 0x01),
    takes: "viewer",
    because: "protobuf has it that such a field is an unknown one",
  },
  {
    name: "protobuf with a text that is no UTF-8",
    path: "/v1/traces",
    headers: protobuf,
    body: field(1, field(2, field(2, field(5, Uint8Array.of(0xff, 0xfe))))),
    takes: "collector",
    because: "a text of protobuf is UTF-8",
  },
];

/** The answer to a request: whether all of it was taken, with the status and the content type. */
export interface Answer {
  readonly taken: boolean;
  readonly status: number;
  readonly type: string | undefined;
}

/** The most bytes of an answer in protobuf that says nothing: an empty message, or one with an empty message in it. */
const EMPTY = 2;

/** Sends a request as it stands, each on a connection of its own. Spans that the answer says are rejected are not taken. */
export const answerTo = (endpoint: string, { path, method = "POST", headers, body }: OtlpRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(endpoint);
    const options = { hostname, port, path, method, headers: { ...headers }, agent: false };
    const sent = httpRequest(options, (response) => {
      text(response).then((said) => {
        const { statusCode: status = 0, headers: answered } = response;
        const type = answered["content-type"];
        const rejected = type === "application/json" ? /"rejected\w+":"?[1-9]/.test(said) : said.length > EMPTY;
        resolve({ taken: status === 200 && !rejected, status, type });
      }, reject);
    });
    sent.on("error", reject).end(body);
  });
