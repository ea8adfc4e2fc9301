import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { definePlugin, type Invocation, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { trusted, withPlugins } from "../src/index.js";
import { httpLink } from "./http-link.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const MAIL = "jane.doe@example.com";
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

function traced() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { plugin: tracing({ tracerProvider }), spans: () => exporter.getFinishedSpans() };
}

/** A server over HTTP, one transport for its one client, and a client that has found it. */
async function connected(
  mark: (transport: Transport) => Transport = (transport) => transport,
  more: readonly Plugin[] = [],
) {
  const [atClient, atServer] = [traced(), traced()];
  const guard = pii({ email: "redact" }, { apply: { output: true, toolResults: true } });
  const shop = new McpServer({ name: "shop", version: "1.0.0" });
  shop.registerTool("ask", {}, async ({ _meta, sendNotification }) => {
    const { progressToken } = _meta ?? {};
    if (progressToken !== undefined) {
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    }
    const { content } = await shop.server.createMessage({
      messages: [{ role: "user", content: { type: "text", text: `Write to ${MAIL}` } }],
      maxTokens: 10,
    });
    return { content: [{ type: "text", text: `${JSON.stringify(content)} for ${MAIL}` }] };
  });
  const server = withPlugins(shop, [atServer.plugin, guard, ...more]);
  const link = await httpLink();
  await server.connect(mark(link.serverSide));
  const asked: unknown[] = [];
  const desk = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { sampling: {} } });
  desk.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    asked.push(params.messages);
    return { role: "assistant", model: "m", content: { type: "text", text: `To ${MAIL}` } };
  });
  const client = withPlugins(desk, [atClient.plugin]);
  await client.connect(link.clientSide);
  open.push(client, server, link);
  return { client, atClient, atServer, asked };
}

describe("over HTTP", () => {
  it("requests of both sides pass the plugins, with the session's id", async () => {
    const { client, asked, atServer } = await connected();
    const result = await client.callTool({ name: "ask" });
    expect(JSON.stringify([asked, result])).not.toContain(MAIL);
    expect(JSON.stringify(asked)).toContain("Write to [REDACTED_EMAIL]");
    expect(JSON.stringify(result)).toContain("To [REDACTED_EMAIL]");
    const [session] = new Set(atServer.spans().map(({ attributes }) => attributes["gen_ai.conversation.id"]));
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("the trace of a client is linked, and not trusted", async () => {
    const { client, atClient, atServer } = await connected();
    await client.callTool({ name: "ask" });
    const called = atServer.spans().find(({ name }) => name === "tools/call ask");
    const caller = atClient.spans().find(({ name }) => name === "tools/call ask");
    expect(called?.parentSpanContext).toBeUndefined();
    expect(called?.links[0]?.context.spanId).toBe(caller?.spanContext().spanId);
  });

  it("the trace of a client goes on, where its transport is marked as trusted", async () => {
    const { client, atClient, atServer } = await connected(trusted);
    await client.callTool({ name: "ask" });
    const called = atServer.spans().find(({ name }) => name === "tools/call ask");
    const caller = atClient.spans().find(({ name }) => name === "tools/call ask");
    expect(called?.parentSpanContext?.spanId).toBe(caller?.spanContext().spanId);
  });

  it("a tool that is asked again by a layer can ask back, and tell of its progress", async () => {
    const again = definePlugin({
      name: "again",
      async tool(_invocation: Invocation<"tool">, callNext) {
        await callNext();
        await callNext();
      },
    });
    const { client } = await connected(undefined, [again]);
    let told = 0;
    const onprogress = () => void told++;
    const { content } = await client.callTool({ name: "ask" }, undefined, { onprogress });
    expect(JSON.stringify(content)).toContain("To [REDACTED_EMAIL]");
    expect(told).toBe(2);
  });
});
