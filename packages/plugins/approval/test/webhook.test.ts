import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "@jest/globals";
import { humanInTheLoop } from "@suite/approval";
import { decisionHandler, webhook } from "@suite/approval/webhook";
import { memoryStateStore } from "@suite/kit/store";
import { Rig } from "./support.js";

const bytes = Buffer.alloc(32, 7);
const secret = `whsec_${bytes.toString("base64")}`;
const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const now = () => Math.floor(Date.now() / 1000);
/** The specification's signature, made without this package. */
const sign = (id: string, time: number, body: string) =>
  `v1,${createHmac("sha256", bytes).update(`${id}.${time}.${body}`).digest("base64")}`;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A receiver that gives these statuses, one after the other. */
async function receiver(...statuses: readonly number[]) {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses[got.length - 1] ?? 200, { location: "/elsewhere" }).end("x");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** A guarded call, and the message by which a person decides on it. */
async function asked(url: string, attempts = 4) {
  const store = memoryStateStore();
  const guard = humanInTheLoop({ pay: true }, { store, ask: webhook({ url, secret, attempts, initialDelay: 1 }) });
  const rig = new Rig([guard]);
  const became = await rig.call({ eur: 10 });
  return { rig, store, became };
}

function decision(data: unknown, { id = "msg_1", time = now(), body = JSON.stringify({ data }), signature = "" } = {}) {
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": `${time}`,
    "webhook-signature": signature || sign(id, time, body),
  };
  return new Request("http://desk.example/", { method: "POST", body, headers });
}

describe("a request by webhook", () => {
  it("is signed, and sent again until it is taken", async () => {
    const { got, url } = await receiver(500, 429, 204);
    const { became, rig } = await asked(url);
    expect([became.startsWith("waits"), got.length, rig.words]).toEqual([true, 3, ["asked"]]);
    for (const { headers, body } of got) {
      const id = String(headers["webhook-id"]);
      expect(headers["webhook-signature"]).toBe(sign(id, Number(headers["webhook-timestamp"]), body));
      expect(JSON.parse(body)).toMatchObject({ data: { id, toolName: "pay", arguments: { eur: 10 } } });
    }
    expect(new Set(got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  it.each([
    ["is refused", [400], 1],
    ["is redirected, which is not followed", [302], 1],
    ["fails too often", [500, 500, 500], 2],
  ])("that %s is told, and the run waits", async (_, statuses, times) => {
    const { got, url } = await receiver(...statuses);
    const { became, rig } = await asked(url, 2);
    expect([became.startsWith("waits"), got.length, rig.words]).toEqual([true, times, ["asked", "not_delivered"]]);
  });

  it.each([1, 5])(
    "ends with the reason of an abort while it is sent, of %i attempts, and not after a wait",
    async (attempts) => {
      const silent = createServer(() => controller.abort(new RangeError("stopped")));
      servers.push(silent);
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const controller = new AbortController();
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
      const ask = webhook({ url, secret, attempts, initialDelay: 25_000 });
      const request = { id: "msg_1", askedAt: 0 } as Parameters<typeof ask>[0];
      const options = { signal: controller.signal } as Parameters<typeof ask>[1];
      await expect(ask(request, options)).rejects.toThrow("stopped");
      silent.closeAllConnections();
    },
  );

  it.each(["http://example.com", "ftp://x", "none"])("is not sent to %s", (url) => {
    expect(() => webhook({ url, secret })).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_OPTION" }));
  });
});

describe("a decision by webhook", () => {
  it("lets the call run; one that comes twice is answered alike, and runs nothing twice", async () => {
    const { got, url } = await receiver();
    const { rig, store } = await asked(url);
    const handle = decisionHandler({ secret: [other, secret], store });
    const { id } = JSON.parse(got[0]?.body ?? "").data;
    for (let i = 0; i < 2; i++) expect((await handle(decision({ id, decision: "approve" }))).status).toBe(200);
    expect((await handle(decision({ id, decision: "reject" }, { id: "msg_2" }))).status).toBe(409);
    expect([await rig.call({ eur: 10 }), rig.ran]).toEqual(["ran", [{ eur: 10 }]]);
  });

  it("is refused where it is forged, late, unknown or too long", async () => {
    const handle = decisionHandler({ secret, store: memoryStateStore() });
    const data = { id: "x", decision: "approve" };
    const status = async (...given: Parameters<typeof decision>) => (await handle(decision(...given))).status;
    expect(await status(data, { signature: `v1,${Buffer.alloc(32).toString("base64")}` })).toBe(401);
    expect(await status(data, { signature: sign("msg_2", now(), "{}") })).toBe(401);
    for (const time of [now() - 301, now() + 302]) expect(await status(data, { time })).toBe(401);
    expect(await status(data)).toBe(404);
    expect(await status(data, { body: "x".repeat(300_000) })).toBe(413);
    expect(await status(data, { body: "{" })).toBe(422);
    expect((await handle(new Request("http://desk.example/"))).status).toBe(405);
  });

  it("is not acknowledged if the store fails, or the code that resumes the run", async () => {
    const { got, url } = await receiver();
    const { store } = await asked(url);
    const { id } = JSON.parse(got[0]?.body ?? "").data;
    const down = { ...store, compareAndSet: () => Promise.reject(new Error("down")) };
    const message = () => decision({ id, decision: "approve" });
    expect((await decisionHandler({ secret, store: down })(message())).status).toBe(503);
    let times = 0;
    const onDecision = () => {
      if (times++ === 0) throw new Error("later");
    };
    const handle = decisionHandler({ secret, store, onDecision });
    expect([(await handle(message())).status, (await handle(message())).status, times]).toEqual([503, 200, 2]);
  });
});
