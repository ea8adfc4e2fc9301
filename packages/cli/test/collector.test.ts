import { createServer, type RequestListener } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTcp } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { checkCollector } from "../src/doctor/collector.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function at(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (listener: RequestListener): Promise<string> => at(createServer(listener));
const check = (endpoint: string, more: Record<string, string> = {}) =>
  checkCollector({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more });

describe("the collector", () => {
  it("that takes a request without a span is right: it was sent to /v1/traces, with the headers of the environment", async () => {
    const seen: unknown[] = [];
    const endpoint = await answering(({ url, headers, method }, response) => {
      seen.push([method, url, headers["content-type"], headers["x-key"]]);
      response.writeHead(200, { "content-type": "application/json" }).end('{"partialSuccess":{}}');
    });
    expect(await check(endpoint, { OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b" })).toEqual({
      subject: "collector",
      state: "ok",
      found: `${endpoint}/v1/traces takes traces`,
    });
    expect(seen).toEqual([["POST", "/v1/traces", "application/json", "a b"]]);
  });

  it("for traces is contacted at its exact address", async () => {
    const endpoint = await answering(({ url }, response) => response.writeHead(url === "/here" ? 200 : 404).end());
    expect(await checkCollector({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/here` })).toMatchObject({
      state: "ok",
    });
  });

  it.each([401, 403])("that answers %i wants other headers", async (status) => {
    const endpoint = await answering((_, response) => response.writeHead(status).end());
    expect(await check(endpoint)).toMatchObject({
      state: "wrong",
      found: expect.stringContaining(`${status}: it requires other headers`),
      advice: "set OTEL_EXPORTER_OTLP_HEADERS, as name=value",
    });
  });

  it("that answers 415 takes protobuf alone, and the advice is to send that", async () => {
    const endpoint = await answering((_, response) => response.writeHead(415).end());
    expect((await check(endpoint)).advice).toContain("OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf");
  });

  it("that answers 404 takes no OTLP there", async () => {
    const endpoint = await answering((_, response) => response.writeHead(404).end());
    expect(await check(endpoint)).toMatchObject({ state: "wrong", found: expect.stringContaining("404") });
  });

  it.each(["<!doctype html><h1>Hello</h1>", "[]", "hello"])(
    "that answers 200 with %j is another server",
    async (body) => {
      const endpoint = await answering((_, response) => response.writeHead(200).end(body));
      expect(await check(endpoint)).toMatchObject({ state: "wrong", found: expect.stringContaining("another server") });
    },
  );

  it("that listens for gRPC is told from one that is down", async () => {
    const endpoint = await at(createHttp2());
    expect(await check(endpoint)).toMatchObject({ state: "wrong", found: expect.stringContaining("gRPC port (4317)") });
  });

  it("that is not there, or whose host is none, is said to be so", async () => {
    const server = createTcp();
    const endpoint = await at(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await check(endpoint)).toMatchObject({
      state: "wrong",
      found: expect.stringContaining("nothing listens there"),
    });
    expect(await check("http://collector.invalid:4318")).toMatchObject({
      found: expect.stringContaining("does not resolve"),
    });
  });

  it("at https that speaks http is said to", async () => {
    const endpoint = await answering((_, response) => response.end());
    expect(await check(endpoint.replace("http:", "https:"))).toMatchObject({
      found: expect.stringContaining("use http instead of https"),
    });
  });

  it("that sends without end is not read to the end", async () => {
    const endpoint = await answering((_, response) => {
      const more = () => {
        while (response.write("x".repeat(10_000)));
      };
      response.on("drain", more);
      response.on("error", () => {});
      more();
    });
    expect(await check(endpoint)).toMatchObject({ state: "wrong", found: expect.stringContaining("another server") });
  });

  it("is shown without user, password and query", async () => {
    const { found } = await check("http://user:secret@collector.invalid/?key=secret");
    expect(found).not.toContain("secret");
    expect(found).not.toContain("user");
  });

  it("at no address is wrong, and one that nobody named is worth a note", async () => {
    expect(await check("localhost:4318")).toMatchObject({
      state: "wrong",
      found: expect.stringContaining("not an http or https address"),
    });
    expect(await checkCollector({})).toMatchObject({ state: "note", found: expect.stringContaining("is not set") });
  });
});
