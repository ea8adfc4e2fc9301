import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { FollowedLine } from "../../src/follow/target.js";
import { type OtlpLogsOptions, otlpLogs } from "../../src/otlp/otlp-logs.js";

interface Request {
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly at: number;
}

/** The answers of the server to its next requests; without more, it takes a request. */
let turns: ((response: ServerResponse) => void)[] = [];
let requests: Request[] = [];
let url = "";
const server = createServer(async (request, response) => {
  const body = await text(request);
  requests.push({ path: request.url, headers: request.headers, body, at: performance.now() });
  (turns.shift() ?? ((response) => response.end("{}")))(response);
});

beforeEach(async () => {
  [turns, requests] = [[], []];
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
});

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
const line = (record: object | string, index = 0): FollowedLine => ({
  kind: "record",
  index,
  text: typeof record === "string" ? record : JSON.stringify(record),
  end: 0,
});

/** Delivers lines, and gives what was thrown and what was reported. */
async function deliver(
  lines: readonly FollowedLine[],
  options: Partial<OtlpLogsOptions> = {},
  target = otlpLogs({ url, ...options }),
) {
  const reports: unknown[] = [];
  const context = { signal: new AbortController().signal, report: (error: unknown) => reports.push(error) };
  const batch = { file: "audit-1.jsonl", lines, end: { bytes: 0, records: 0 } };
  const thrown = await target.deliver(batch, context).then(
    () => undefined,
    (error: Error & { code: string }) => error,
  );
  return { thrown, reports, target };
}

const sent = (request = requests[0]) => JSON.parse(request?.body ?? "").resourceLogs[0];
const logRecords = () => requests.flatMap((request) => sent(request).scopeLogs[0].logRecords);

describe("a log record", () => {
  it("has the stored line as its body, byte for byte, and attributes to ask by", async () => {
    const record = {
      outcome: { error: { type: "Error" }, status: "failed" },
      operation: "execute_tool",
      stage: "outcome",
      type: "tool",
      time: "2026-01-02T03:04:05.678Z",
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
      content: '\u0000 é 😀 " \\ \u2028',
    };
    await deliver([line(record, 7)]);
    expect(requests[0]).toMatchObject({ path: "/v1/logs", headers: { "content-type": "application/json" } });
    expect(sent().resource.attributes).toEqual([{ key: "service.name", value: { stringValue: "suite-audit" } }]);
    const [{ observedTimeUnixNano, ...rest }] = logRecords();
    expect(observedTimeUnixNano).toMatch(/^\d{19}$/);
    const string = (key: string, stringValue: string) => ({ key: `suite.audit.${key}`, value: { stringValue } });
    expect(rest).toEqual({
      timeUnixNano: "1767323045678000000",
      severityNumber: 17,
      severityText: "ERROR",
      eventName: "suite.audit.record",
      body: { stringValue: JSON.stringify(record) },
      traceId: record.traceId,
      spanId: record.spanId,
      attributes: [
        string("file", "audit-1.jsonl"),
        { key: "suite.audit.index", value: { intValue: "7" } },
        { key: "suite.audit.end", value: { intValue: "0" } },
        string("type", "tool"),
        string("stage", "outcome"),
        string("operation", "execute_tool"),
        string("outcome", "failed"),
      ],
    });
  });

  it("of a checkpoint is its note, as an anchor has it", async () => {
    await deliver([{ kind: "checkpoint", index: 3, text: JSON.stringify("note\n3\n"), end: 0 }]);
    expect(logRecords()).toMatchObject([{ eventName: "suite.audit.checkpoint", body: { stringValue: "note\n3\n" } }]);
  });

  it.each<[string, object | string]>([
    ["ids that are none", { traceId: "x", spanId: "00f067aa0ba902b7" }],
    ["ids of zeros", { traceId: "0".repeat(32), spanId: "0".repeat(16) }],
    ["a span without a trace", { spanId: "00f067aa0ba902b7" }],
    ["a time that is none", { time: "yesterday" }],
    ["a time before there were any", { time: "-000001-01-01T00:00:00Z" }],
    ["members of other types", { type: 1, stage: {}, operation: null, outcome: "failed", time: 5 }],
    ["names that are long", { type: "x".repeat(257) }],
    ["what is no JSON", "{"],
    ["a number", "5"],
  ])("of a record with %s has none of it, but in its body", async (_, record) => {
    await deliver([line(record)]);
    const [found] = logRecords();
    expect(Object.keys(found).sort()).toEqual([
      "attributes",
      "body",
      "eventName",
      "observedTimeUnixNano",
      "severityNumber",
      "severityText",
    ]);
    expect(found.attributes).toHaveLength(3);
    expect(found.body.stringValue).toBe(line(record).text);
  });
});

describe("a collector that answers", () => {
  it.each([408, 429, 500, 502, 503, 504])("%d may take it later", async (code) => {
    turns = [status(code)];
    expect((await deliver([line({})])).thrown).toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED" });
  });

  it.each([400, 401, 403, 404, 302])("%d refuses it, and a redirection is not followed", async (code) => {
    turns = [status(code, { location: `${url}/elsewhere` })];
    expect((await deliver([line({})])).thrown).toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED" });
    expect(requests).toHaveLength(1);
  });

  it("429 with a time is not asked before that time", async () => {
    turns = [status(429, { "retry-after": "1" })];
    const { target } = await deliver([line({})]);
    await deliver([line({})], {}, target);
    const [first, second] = requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990);
  });

  it("413 gets the batch in halves, in order; of one line that is still too large, it refuses it", async () => {
    turns = [status(413), status(413)];
    const lines = [0, 1, 2, 3, 4].map((n) => line({ n }, n));
    expect((await deliver(lines)).thrown).toBeUndefined();
    expect(
      requests
        .slice(2)
        .flatMap((request) => sent(request).scopeLogs[0].logRecords)
        .map(({ body }) => body),
    ).toEqual(lines.map(({ text }) => ({ stringValue: text })));
    turns = [status(413)];
    expect((await deliver([line({})])).thrown).toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED" });
  });

  it("that it dropped some is reported, with their number", async () => {
    turns = [(response) => response.end('{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"secret"}}')];
    const { thrown, reports } = await deliver([line({}), line({}), line({})]);
    expect(thrown).toBeUndefined();
    expect(reports).toEqual([expect.objectContaining({ code: "ERR_AUDIT_FOLLOWERS_DELIVERY_INCOMPLETE" })]);
    expect(String(reports[0])).toMatch(/dropped 2 log records/);
  });

  it.each(["", "{", "null", "x".repeat(1_000_000), '{"partialSuccess":{"rejectedLogRecords":"many"}}'])(
    "with success, whatever it says, has taken it",
    async (answer) => {
      turns = [(response) => response.end(answer)];
      expect(await deliver([line({})])).toMatchObject({ thrown: undefined, reports: [] });
    },
  );

  it("with success and no end of it, has taken it", async () => {
    turns = [
      (response) => {
        const more = (): void => {
          while (response.write("x".repeat(10_000)));
        };
        response.on("drain", more);
        more();
      },
    ];
    expect(await deliver([line({})])).toMatchObject({ thrown: undefined, reports: [] });
  });

  it("nothing, or breaks the connection, may take it later", async () => {
    turns = [() => {}, (response) => response.destroy()];
    const { thrown } = await deliver([line({})], { timeoutMs: 50 });
    expect(thrown).toMatchObject({
      code: "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED",
      message: expect.stringContaining("TimeoutError"),
    });
    expect((await deliver([line({})])).thrown).toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED" });
  });
});

describe("credentials", () => {
  it("in the address become a header; they, its path and headers are in no message", async () => {
    turns = [status(401), status(503), (response) => response.destroy()];
    const secret = url.replace("http://", "http://us%40er:pass%3Aword@");
    for (let n = 0; n < 3; n++) {
      const { thrown } = await deliver([line({})], {
        url: `${secret}/token-1?key=token-2`,
        headers: { "x-key": "token-3" },
      });
      expect(thrown?.message).toContain(url);
      expect(thrown?.message).not.toMatch(/us(%40|@)er|pass|token/);
    }
    expect(requests[0]).toMatchObject({
      path: "/token-1/v1/logs?key=token-2",
      headers: { authorization: `Basic ${Buffer.from("us@er:pass:word").toString("base64")}`, "x-key": "token-3" },
    });
  });

  it.each<[string, OtlpLogsOptions]>([
    ["an address that is none", { url: "secret" }],
    ["another protocol", { url: "ftp://secret@example.com" }],
    ["a user name that is not encoded", { url: "http://secret%:x@example.com" }],
    ["a header that HTTP does not allow", { url: "http://localhost", headers: { "x-key": "secret\nx" } }],
    ["a time that is none", { url: "http://secret@localhost", timeoutMs: 0 }],
  ])("are not in what is thrown for %s", (_, options) => {
    let thrown: unknown;
    try {
      otlpLogs(options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_INVALID_OPTION" });
    expect(thrown).not.toHaveProperty("cause");
    expect(String(thrown)).not.toContain("secret");
  });

  it("plain HTTP to another machine is warned of, once, and to this one is not", () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    for (const own of ["http://localhost:4318", "http://127.0.0.1", "http://[::1]:1", "https://collector.example"])
      otlpLogs({ url: own });
    expect(warn).not.toHaveBeenCalled();
    otlpLogs({ url: "http://user:secret@collector.example" });
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining("http://collector.example without"),
    ]);
    warn.mockRestore();
  });
});
