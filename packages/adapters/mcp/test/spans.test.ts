import { expect, it } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { tracing } from "@suite/tracing";
import { pair } from "./pair.js";

/** Values of OpenTelemetry's `SpanKind`. */
const SpanKind = { SERVER: 1, CLIENT: 2 } as const;

const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });

/** A tool that answers, one that fails, a resource, a prompt and a tool that there is not: the spans of both sides. */
async function spans() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const plugins = { atClient: [tracing({ tracerProvider })], atServer: [tracing({ tracerProvider })] };
  const { client } = await pair((server) => {
    server.registerTool("find_order", {}, () => text("shipped"));
    server.registerTool("refund", {}, () => ({ ...text("No such order."), isError: true }));
    server.registerResource("note", "note://1", {}, () => ({ contents: [{ uri: "note://1", text: "n" }] }));
    server.registerPrompt("greet", {}, () => ({ messages: [{ role: "user", content: { type: "text", text: "hi" } }] }));
  }, plugins);
  await client.callTool({ name: "find_order" });
  await client.callTool({ name: "refund" });
  await client.readResource({ uri: "note://1" });
  await client.getPrompt({ name: "greet" });
  await client.getPrompt({ name: "nobody" }).catch(() => {});
  return exporter.getFinishedSpans();
}

it("each request of MCP has a span of its client and one of its server, by the conventions for MCP", async () => {
  const ended = await spans();
  const names = ["tools/call find_order", "tools/call refund", "resources/read", "prompts/get greet"];
  for (const kind of [SpanKind.CLIENT, SpanKind.SERVER]) {
    const side = ended.filter((span) => span.kind === kind);
    expect(side.map(({ name }) => name)).toEqual([...names, "prompts/get nobody"]);
    const [tool, failed, resource, prompt, refused] = side.map(({ attributes }) => attributes);
    expect(tool).toMatchObject({
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "find_order",
      "jsonrpc.request.id": expect.any(String),
    });
    expect(failed).toMatchObject({ "error.type": "tool_error" });
    expect(resource).toMatchObject({ "mcp.method.name": "resources/read", "mcp.resource.uri": "note://1" });
    expect(resource).not.toHaveProperty(["gen_ai.tool.name"]);
    expect(prompt).toMatchObject({ "mcp.method.name": "prompts/get", "gen_ai.prompt.name": "greet" });
    expect(refused).toMatchObject({ "rpc.response.status_code": "-32602" });
    // A request that is wrong is the client's error, and none of the server's.
    expect(refused?.["error.type"]).toBe(kind === SpanKind.CLIENT ? "-32602" : undefined);
  }
});

it("the server's span is below the client's", async () => {
  const ended = await spans();
  for (const server of ended.filter(({ kind }) => kind === SpanKind.SERVER)) {
    const client = ended.find((span) => span.spanContext().spanId === server.parentSpanContext?.spanId);
    expect([client?.kind, client?.name]).toEqual([SpanKind.CLIENT, server.name]);
  }
});
