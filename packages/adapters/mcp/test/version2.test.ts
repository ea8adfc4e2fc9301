import { describe, expect, it } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { definePlugin, type Invocation } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { z } from "zod";
import { type Link, links, pair2 } from "./pair2.js";

const MAIL = "jane.doe@example.com";
const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
const guard = () => pii({ email: "redact" }, { apply: { toolArguments: true, toolResults: true, output: true } });

describe.each<Link>([...links])("version 2 of the SDK over %s", (link) => {
  it.each(["client", "server"])("a plugin of the %s redacts arguments and results", async (side) => {
    const plugins = side === "client" ? { atClient: [guard()] } : { atServer: [guard()] };
    const received: unknown[] = [];
    const { client, wire } = await pair2(
      (server) =>
        server.registerTool("greet", { inputSchema: z.object({ to: z.string() }) }, ({ to }) => {
          received.push(to);
          return text(`Hello from ${MAIL}`);
        }),
      { ...plugins, link },
    );
    const result = await client.callTool({ name: "greet", arguments: { to: MAIL } });
    expect(received).toEqual(["[REDACTED_EMAIL]"]);
    expect(result).toMatchObject(text("Hello from [REDACTED_EMAIL]"));
    if (side === "client") expect(wire()).not.toContain(`"to":"${MAIL}"`);
  });

  it("an answer of a layer is a result of this protocol", async () => {
    const instead = definePlugin({
      name: "instead",
      tool: async (invocation: Invocation<"tool">) =>
        invocation.respond({ value: `no ${invocation.request.tool.name}` }),
    });
    for (const plugins of [{ atClient: [instead] }, { atServer: [instead] }]) {
      const { client } = await pair2((server) => server.registerTool("greet", {}, () => text("Hello")), {
        ...plugins,
        link,
      });
      expect(await client.callTool({ name: "greet" })).toMatchObject(text("no greet"));
    }
  });

  it("the error of a layer is thrown to the client's caller and a failed result of the server", async () => {
    const refusing = definePlugin({
      name: "refusing",
      tool: async () => {
        throw new Error("Not today.");
      },
    });
    const tools = (server: Parameters<Parameters<typeof pair2>[0]>[0]) => {
      server.registerTool("greet", {}, () => text("Hello"));
    };
    const { client } = await pair2(tools, { atClient: [refusing], link });
    await expect(client.callTool({ name: "greet" })).rejects.toThrow("Not today.");
    const { client: other } = await pair2(tools, { atServer: [refusing], link });
    expect(await other.callTool({ name: "greet" })).toMatchObject({ ...text("Not today."), isError: true });
  });

  it("spans of both sides name the protocol's version, and a failed tool is a tool_error", async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const plugins = [tracing({ tracerProvider })];
    const { client } = await pair2(
      (server) => {
        server.registerTool("refund", {}, () => ({ ...text("No such order."), isError: true }));
        server.registerResource("note", "note://1", {}, () => ({ contents: [{ uri: "note://1", text: "n" }] }));
      },
      { atClient: plugins, atServer: plugins, link },
    );
    await client.callTool({ name: "refund" });
    await client.readResource({ uri: "note://1" });
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ["tools/call refund", 1],
      ["tools/call refund", 2],
      ["resources/read", 1],
      ["resources/read", 2],
    ]);
    for (const { attributes } of spans) {
      expect(attributes).toMatchObject({ "mcp.protocol.version": link === "legacy" ? "2025-11-25" : "2026-07-28" });
      if (link === "http") expect(attributes).toMatchObject({ "network.transport": "tcp" });
    }
    const [answered, sent] = spans;
    // A client over HTTP is not trusted, so its trace is linked.
    const caller = link === "http" ? answered?.links[0]?.context : answered?.parentSpanContext;
    expect(caller?.spanId).toBe(sent?.spanContext().spanId);
    expect(spans[0]?.attributes).toMatchObject({ "error.type": "tool_error" });
    expect(spans[2]?.attributes).toMatchObject({ "mcp.resource.uri": "note://1" });
    expect(spans[2]?.attributes).not.toHaveProperty(["gen_ai.tool.name"]);
  });
});
