import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { ViewerError } from "../src/errors.js";
import { TooMany } from "../src/otlp/bounded.js";
import { spansIn } from "../src/otlp/decode.js";
import { Bodies, Busy, TooLarge } from "../src/server/body.js";
import { answerWithin } from "../src/server/boundary.js";
import { isForeign } from "../src/server/local.js";
import { receiver } from "../src/server/receive.js";
import { jsonPieces } from "../src/server/send.js";
import { ask, send, viewer } from "./support.js";

const MiB = 1024 * 1024;

describe("the values of a span", () => {
  const received = (attributes: object[], more: object = {}) =>
    spansIn(
      {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  {
                    traceId: "a".repeat(32),
                    spanId: "b".repeat(16),
                    startTimeUnixNano: "1700000000000000000",
                    attributes,
                    ...more,
                  },
                ],
              },
            ],
          },
        ],
      },
      "json",
    );

  it("are replaced by a mark below 32 levels", () => {
    let value: object = { stringValue: "deep" };
    for (let depth = 0; depth < 40; depth++) value = { arrayValue: { values: [value] } };
    const [read] = received([{ key: "k", value }]).spans;
    expect(JSON.stringify(read?.attributes.k)).toBe(`${"[".repeat(33)}"(nested too deeply)"${"]".repeat(33)}`);
  });

  it("of one list are counted, and those beyond the bound are left out", () => {
    const values = Array.from({ length: 100_003 }, () => ({ intValue: "1" }));
    const [read] = received([{ key: "k", value: { arrayValue: { values } } }]).spans;
    expect(read?.attributes.k).toHaveLength(99_999);
    expect(read?.attributes["(left out)"]).toBe("4 values");
  });

  it("have names and keys that are cut, and a message that is cut later", () => {
    const long = "n".repeat(100_000);
    const [read] = received([{ key: long, value: { boolValue: true } }], {
      name: long,
      status: { message: long },
      events: [{ name: long }],
    }).spans;
    expect([read?.name.length, read?.statusMessage?.length, read?.events[0]?.name.length]).toEqual([
      1025, 65_537, 1025,
    ]);
    expect(Object.keys(read?.attributes ?? {})).toEqual([`${"n".repeat(512)}…`]);
  });

  it("are counted as memory, not as the bytes in which they came", () => {
    const one = received([]).size;
    expect(received([{ key: "k", value: { stringValue: "x".repeat(1000) } }]).size - one).toBe(1 + 1000 + 64);
  });
});

/** A request whose body comes in pieces that the test gives. */
function incoming(headers: Record<string, string> = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return request;
}

describe("bodies that are read at the same time", () => {
  it("take so much memory together, and one more is told to come again", async () => {
    const bodies = new Bodies();
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = Array.from({ length: 4 }, () => {
      const request = incoming();
      const used = bodies.use(request, () => released);
      for (let n = 0; n < 64; n++) request.push(Buffer.alloc(MiB));
      request.push(null);
      return used;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const late = incoming();
    const refused = bodies.use(late, (body) => body.length);
    late.push(Buffer.alloc(10));
    late.push(null);
    await expect(refused).rejects.toBeInstanceOf(Busy);
    release();
    await Promise.all(held);
    const next = incoming();
    const taken = bodies.use(next, (body) => body.length);
    next.push(Buffer.alloc(10));
    next.push(null);
    expect(await taken).toBe(10);
  });
});

describe("a refusal of the receiver", () => {
  it.each([
    [new Busy(), 503],
    [new ViewerError("ERR_VIEWER_DATA", "The disk is full."), 503],
    [new TooLarge(), 413],
    [new TooMany(), 413],
    [new ViewerError("ERR_VIEWER_REQUEST", "No OTLP."), 400],
    [new Error("secret"), 500],
  ])("of %s has a status by which an exporter sends it again, or not", (error, status) => {
    const response = new ServerResponse(incoming());
    receiver(async () => {})(4318).refuse(response, error);
    expect(response.statusCode).toBe(status);
  });
});

describe("the boundary of a server", () => {
  const exchange = (): readonly [IncomingMessage, ServerResponse] => {
    const request = incoming();
    return [request, new ServerResponse(request)];
  };

  it("passes what a service throws to its refusal, whether at once or later", async () => {
    const seen: unknown[] = [];
    const refuse = (_: ServerResponse, error: unknown): void => void seen.push(error);
    const [now, later] = [new Error("now"), new Error("later")];
    await answerWithin(
      {
        answer() {
          throw now;
        },
        refuse,
      },
      ...exchange(),
    );
    await answerWithin({ answer: () => Promise.reject(later), refuse }, ...exchange());
    expect(seen).toEqual([now, later]);
  });

  it("ends a response that has begun, and refuses nothing", async () => {
    const [request, response] = exchange();
    const answer = (): void => {
      response.writeHead(200);
      response.flushHeaders();
      throw new Error("halfway");
    };
    let refused = 0;
    await answerWithin({ answer, refuse: () => void refused++ }, request, response);
    expect([response.destroyed, refused]).toEqual([true, 0]);
  });
});

describe("a request of a browser", () => {
  it.each([
    [{ "sec-fetch-site": "same-origin" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ "sec-fetch-site": "same-site" }, true],
    [{ "sec-fetch-site": "cross-site" }, true],
    [{ origin: "http://localhost:4319" }, false],
    [{ origin: "http://localhost:4320" }, true],
    [{ origin: "null" }, true],
    [{}, false],
  ])("with %j is of another page: %s", (headers, expected) => {
    expect(isForeign(incoming(headers as Record<string, string>), 4319)).toBe(expected);
  });

  it("of another origin may not send traces", async () => {
    const shown = await viewer();
    const headers = { "content-type": "application/json", "sec-fetch-site": "cross-site" };
    expect((await send(shown, "{}", headers)).status).toBe(403);
    expect((await ask(shown, "/api/runs", { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });
});

describe("an object as JSON in pieces", () => {
  it.each([
    {},
    { a: 1, b: [] },
    { a: undefined, b: [1, undefined, { c: [2] }], d: null },
    { size: { spans: 1 }, runs: [{ name: "é" }, "x"] },
  ])("%j is the same as JSON.stringify makes it", (value) => {
    expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
  });
});
