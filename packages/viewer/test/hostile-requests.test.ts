import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import type { Viewer } from "@suite/viewer";
import { ask, requestOf, send, span, viewer } from "./support.js";

const json = { "content-type": "application/json" };
const protobuf = { "content-type": "application/x-protobuf" };
const gzip = { ...json, "content-encoding": "gzip" };
const MiB = 1024 * 1024;

/** Sends a request line as it is, which no client would. @returns the status line of the response */
const raw = (port: string, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    });
    let received = "";
    socket.on("data", (piece) => {
      received += piece.toString();
    });
    socket.on("error", reject).on("close", () => resolve(received.split("\r\n")[0] ?? ""));
  });

/** Encodes fields of protobuf, each with its number and bytes. */
function fields(...all: readonly (readonly [number: number, bytes: Buffer])[]): Buffer {
  return Buffer.concat(
    all.flatMap(([number, bytes]) => {
      const head: number[] = [(number << 3) | 2];
      for (let left = bytes.length; ; left >>>= 7) {
        head.push(left > 0x7f ? (left & 0x7f) | 0x80 : left);
        if (left <= 0x7f) break;
      }
      return [Buffer.from(head), bytes];
    }),
  );
}

/** A request of one span, in protobuf: with a name, and with one attribute. */
function protobufOf(traceId: string, name: Buffer, attribute: Buffer): Buffer {
  const start = Buffer.alloc(9);
  start[0] = (7 << 3) | 1;
  start.writeBigUInt64LE(1_700_000_000_000_000_000n, 1);
  const attributes = fields([9, fields([1, Buffer.from("blob")], [2, fields([1, attribute])])]);
  const wire = Buffer.concat([
    fields([1, Buffer.from(traceId, "hex")], [2, Buffer.from("00f067aa0ba902b7", "hex")], [5, name]),
    start,
    attributes,
  ]);
  return fields([1, fields([2, fields([2, wire])])]);
}

const portOf = (url: string): string => new URL(url).port;

async function expectAlive(shown: Viewer): Promise<void> {
  const good = span();
  expect((await send(shown, requestOf(good))).status).toBe(200);
  expect((await ask(shown, `/api/runs/${good.traceId}`)).status).toBe(200);
}

describe("a hostile request", () => {
  it.each([
    "GET //",
    "GET ///",
    "GET /\\",
    "GET http://[",
    "GET //:",
    "POST //",
    "GET *",
    "OPTIONS *",
    "GET /api/runs/%",
  ])("%s is refused by both servers, and the viewer continues", async (line) => {
    const shown = await viewer();
    expect(await raw(portOf(shown.url), line)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(await raw(portOf(shown.endpoint), line)).toMatch(/^HTTP\/1\.1 4\d\d/);
    await expectAlive(shown);
  });

  it("with strings of megabytes is cut to what one span may have", async () => {
    const shown = await viewer();
    const blob = Buffer.alloc(17 * MiB, 1);
    for (const [at, [name, attribute]] of [
      [blob, Buffer.from("x")],
      [Buffer.from("x"), blob],
      [blob, Buffer.from("x")],
    ].entries()) {
      const body = protobufOf(`${at + 1}`.padStart(32, "0"), name as Buffer, attribute as Buffer);
      expect((await send(shown, body as Buffer<ArrayBuffer>, protobuf)).status).toBe(200);
    }
    expect((await ask(shown, "/api/runs")).status).toBe(200);
    const run = await ask(shown, "/api/runs/00000000000000000000000000000002");
    expect(((await run.json()) as { spans: { attributes: unknown }[] }).spans[0]?.attributes).toEqual({
      blob: `(${17 * MiB} characters left out)`,
    });
    await expectAlive(shown);
  }, 60_000);

  it("that repeats a large resource or many spans is answered in pieces", async () => {
    const shown = await viewer();
    const { traceId } = span();
    const resource = { "service.name": "x".repeat(30_000) };
    const spans = Array.from({ length: 300 }, () => span({ traceId }));
    const { resourceSpans } = JSON.parse(requestOf(...spans));
    const scopeSpans = resourceSpans.flatMap((each: { scopeSpans: object[] }) => each.scopeSpans);
    const attributes = [{ key: "service.name", value: { stringValue: resource["service.name"] } }];
    const body = JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
    expect((await send(shown, body)).status).toBe(200);
    const text = await (await ask(shown, `/api/runs/${traceId}`)).text();
    expect(text.length).toBeGreaterThan(8 * MiB);
    expect(JSON.parse(text).spans).toHaveLength(300);
  }, 60_000);

  it.each([
    ["empty objects", `{"resourceSpans":[${"{},".repeat(2_000_000)}{}]}`],
    ["spans without a span", `{"resourceSpans":[{"scopeSpans":[{"spans":[${"{},".repeat(2_000_000)}{}]}]}]}`],
    ["lists", `{"x":[${"[],".repeat(2_000_000)}[]]}`],
    ["members", `{"x":{${'"a":0,'.repeat(2_100_000)}"b":0}}`],
  ])(
    "of millions of %s, packed to a few kB, is refused within seconds",
    async (_, body) => {
      const shown = await viewer();
      const packed = gzipSync(body) as Buffer<ArrayBuffer>;
      expect(packed.length).toBeLessThan(100_000);
      const began = performance.now();
      const response = await send(shown, packed, gzip);
      expect([response.status, await response.json()]).toEqual([
        413,
        { code: 3, message: expect.stringContaining("more than 2000000 values") },
      ]);
      expect(performance.now() - began).toBeLessThan(15_000);
      await expectAlive(shown);
    },
    60_000,
  );

  it("of millions of empty messages in protobuf is refused", async () => {
    const shown = await viewer();
    const body = Buffer.alloc(4 * MiB);
    for (let at = 0; at < body.length; at += 2) body[at] = 0x0a;
    expect((await send(shown, body as Buffer<ArrayBuffer>, protobuf)).status).toBe(413);
    await expectAlive(shown);
  }, 60_000);

  it("of a string with quotes, backslashes and commas is read: they are no values", async () => {
    const shown = await viewer();
    const text = '\\"{[,'.repeat(600_000);
    const sent = span({ attributes: { text } });
    expect((await send(shown, requestOf(sent))).status).toBe(200);
    const run = await ask(shown, `/api/runs/${sent.traceId}`);
    expect(((await run.json()) as { spans: { attributes: { text: string } }[] }).spans[0]?.attributes.text).toBe(text);
  }, 60_000);

  it("nested a million levels deep is refused", async () => {
    const shown = await viewer();
    expect((await send(shown, `{"x":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`)).status).toBe(400);
  });

  it("of a span with many attributes, events and links keeps so many, and counts the rest", async () => {
    const shown = await viewer();
    const attributes = Object.fromEntries(Array.from({ length: 100_010 }, (_, n) => [`k${n}`, n]));
    const event = { name: "e", time: 1_700_000_000_000, attributes: {} };
    const link = { traceId: "a".repeat(32), spanId: "b".repeat(16), attributes: {} };
    const sent = span({ attributes, events: Array(10_005).fill(event), links: Array(1005).fill(link) });
    expect((await send(shown, requestOf(sent))).status).toBe(200);
    const run = (await (await ask(shown, `/api/runs/${sent.traceId}`)).json()) as { spans: (typeof sent)[] };
    const [read] = run.spans;
    expect(Object.keys(read?.attributes ?? {})).toHaveLength(100_001);
    expect(read?.attributes["(left out)"]).toBe("10 values");
    expect([read?.events.length, read?.events.at(-1)?.name]).toEqual([10_001, "(5 events left out)"]);
    expect(read?.links).toHaveLength(1000);
  }, 60_000);
});

/** Sends a body on the one connection of an agent. */
const sendOn = (agent: Agent, { endpoint }: Viewer, body: Buffer | string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest(`${endpoint}/v1/traces`, { method: "POST", agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.setTimeout(20_000, () => sent.destroy(new Error("no response")));
    sent.on("error", reject).end(body);
  });

describe("a connection that is kept alive", () => {
  it.each<[string, number, () => Buffer | string, Record<string, string>]>([
    ["gzip of 200 MiB", 413, () => gzipSync(Buffer.alloc(200 * MiB)), gzip],
    ["2 MB that are no gzip", 400, () => Buffer.alloc(2 * MiB, 7), gzip],
    ["70 MiB", 413, () => Buffer.alloc(70 * MiB, 32), json],
    ["2 MB of another type", 415, () => Buffer.alloc(2 * MiB, 32), { "content-type": "text/plain" }],
    ["2 MB of an unknown encoding", 400, () => Buffer.alloc(2 * MiB, 32), { ...json, "content-encoding": "br" }],
    ["2 MB that are no JSON", 400, () => Buffer.alloc(2 * MiB, 7), json],
  ])(
    "carries the next request after %s was refused with %i",
    async (_, status, body, headers) => {
      const shown = await viewer();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        expect(await sendOn(agent, shown, body(), headers)).toBe(status);
        const began = performance.now();
        expect(await sendOn(agent, shown, requestOf(span()), json)).toBe(200);
        expect(performance.now() - began).toBeLessThan(10_000);
      } finally {
        agent.destroy();
      }
    },
    60_000,
  );
});
