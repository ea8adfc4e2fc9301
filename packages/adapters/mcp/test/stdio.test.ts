import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientTransport1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { withPlugins } from "../src/index.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

/** The versions of client and server, and the protocol that they agree on. */
const pairs = [
  { client: "2", server: "2", protocol: "2026-07-28" },
  { client: "2", server: "2", protocol: "2025-11-25" },
  { client: "2", server: "1", protocol: "2025-11-25" },
  { client: "1", server: "2", protocol: "2025-11-25" },
  { client: "1", server: "1", protocol: "2025-11-25" },
] as const;

interface Desk {
  callTool(call: { name: string }): Promise<unknown>;
  close(): Promise<void>;
}

const open: Desk[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((desk) => desk.close()));
});

/** Starts a server in its own process and connects a client to it. */
async function connected(
  { client, server, protocol }: (typeof pairs)[number],
  { plugins = [], bare = true, asked = [] }: { plugins?: Plugin[]; bare?: boolean; asked?: string[] },
): Promise<Desk> {
  const program = fileURLToPath(new URL("./fixtures/stdio-server.mjs", import.meta.url));
  const child = { command: process.execPath, args: [program, server, ...(bare ? ["bare"] : [])] };
  const about = { name: "desk", version: "1.0.0" };
  const capabilities = { elicitation: { form: {} } };
  if (client === "1") {
    const plain = new Client1(about, { capabilities });
    plain.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: {} };
    });
    const desk = withPlugins(plain, plugins);
    await desk.connect(new StdioClientTransport1(child));
    open.push(desk);
    return desk;
  }
  const mode = protocol === "2025-11-25" ? "legacy" : "auto";
  const plain = new Client(about, { capabilities, versionNegotiation: { mode } });
  plain.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: {} };
  });
  const desk = withPlugins(plain, plugins);
  await desk.connect(new StdioClientTransport(child));
  open.push(desk);
  return desk;
}

const text = (content: string) => ({ content: [{ type: "text", text: content }] });
const guard = () => pii({ email: "redact" }, { apply: { toolArguments: true, toolResults: true, humanInput: true } });

describe.each(pairs)("a client of SDK $client and a server of SDK $server in two processes, $protocol", (pair) => {
  it("have the same results without plugins", async () => {
    const desk = await connected(pair, {});
    expect(await desk.callTool({ name: "find_order" })).toMatchObject(text("Shipped to jane@example.com."));
    expect(await desk.callTool({ name: "refund" })).toMatchObject({ ...text("No such order."), isError: true });
    expect(await desk.callTool({ name: "send_mail" })).toMatchObject(text("accept"));
  });

  it.each(["client", "server"])("redact results and questions with plugins of the %s", async (side) => {
    const asked: string[] = [];
    const desk = await connected(pair, side === "client" ? { plugins: [guard()], asked } : { bare: false, asked });
    expect(await desk.callTool({ name: "find_order" })).toMatchObject(text("Shipped to [REDACTED_EMAIL]."));
    expect(await desk.callTool({ name: "refund" })).toMatchObject({ ...text("No such order."), isError: true });
    expect(await desk.callTool({ name: "send_mail" })).toMatchObject(text("accept"));
    expect(asked).toEqual(["Write to [REDACTED_EMAIL]?"]);
  });

  it("have one trace: the spans of the server are below those of the client", async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const desk = await connected(pair, { plugins: [tracing({ tracerProvider })], bare: false });
    await desk.callTool({ name: "find_order" });
    await desk.callTool({ name: "send_mail" });
    const { content } = (await desk.callTool({ name: "spans" })) as ReturnType<typeof text>;
    const served: { name: string; kind: number; parent?: string; version: string; transport: string }[] = JSON.parse(
      content[0]?.text ?? "",
    );
    const sent = exporter.getFinishedSpans();
    for (const { name, version, transport } of served.filter(({ kind }) => kind === 1)) {
      expect([name, version, transport]).toEqual([name, pair.protocol, "pipe"]);
    }
    const below = served.filter(({ kind }) => kind === 1).map(({ parent }) => parent);
    const calls = sent.filter(({ kind, name }) => kind === 2 && name !== "tools/call spans");
    expect(calls.length).toBe(pair.protocol === "2026-07-28" ? 3 : 2);
    expect(below.sort()).toEqual(calls.map((span) => span.spanContext().spanId).sort());
  });
});
