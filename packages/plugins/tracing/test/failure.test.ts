import { createServer as createTcp, type Server } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import { trace } from "@opentelemetry/api";
import { reasonOf } from "../src/node/export/failure.js";
import { setupTracing } from "../src/node.js";
import { startReceiver } from "./receiver.js";
import { stopSdk } from "./support.js";

afterEach(() => {
  stopSdk();
  delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
});

async function warningOf(endpoint: string): Promise<string | undefined> {
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = "3000";
  const said: string[] = [];
  const telemetry = setupTracing({ endpoint, metrics: false, flushOnExit: false, warn: (text) => said.push(text) });
  trace.getTracer("t").startSpan("lost").end();
  await telemetry.shutdown();
  return said.find((text) => text.includes("could not be sent"));
}

it.each([
  [401, "it returns 401: it requires other headers"],
  [404, "it returns 404: this path does not accept OTLP"],
  [400, "it answers 400."],
])("says of a collector that answers %s what is wrong", async (status, reason) => {
  const receiver = await startReceiver(status);
  expect(await warningOf(`http://127.0.0.1:${receiver.port}`)).toContain(reason);
  await receiver.stop();
});

it("says of a port that nothing listens at that nothing does", async () => {
  expect(await warningOf("http://127.0.0.1:1")).toContain("nothing listens there");
});

it("says of a port that answers as gRPC does that it is none of HTTP", async () => {
  const server: Server = createTcp((socket) => {
    socket.on("error", () => {});
    socket.end(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0x3f, 0xff, 0xff]), () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  expect(await warningOf(`http://127.0.0.1:${port}`)).toContain("a gRPC port (4317)");
  await new Promise((resolve) => server.close(resolve));
});

it.each([
  ["ENOTFOUND", "does not resolve"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate is not trusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate is not trusted"],
  ["EPROTO", "does not use TLS"],
])("knows %s wherever in the causes it stands", (code, reason) => {
  const bottom = Object.assign(new Error("user:password@host"), { code });
  expect(reasonOf(bottom)).toContain(reason);
  expect(reasonOf(new Error("failed", { cause: bottom }))).toContain(reason);
});
