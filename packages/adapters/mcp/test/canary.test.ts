import { describe, expect, it, jest } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { planted } from "../../../../integration-tests/planted.mjs";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { httpLink } from "./http-link.js";
import { pair } from "./pair.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const content = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** A server and a client that say personal data in every way that MCP has; what reached the handlers is noted. */
const telling = (reached: unknown[]) => (server: McpServer, plain: Client) => {
  server.registerTool("tell", { inputSchema: { of: z.string() } }, async ({ of }, { _meta, sendNotification }) => {
    reached.push(of);
    await server.server.sendLoggingMessage({ level: "info", data: { of: text } });
    const params = { progressToken: _meta?.progressToken ?? "", progress: 1, message: text };
    await sendNotification({ method: "notifications/progress", params });
    return { ...content(text), structuredContent: { deep: [{ text }] } };
  });
  server.registerTool("fail", {}, () => {
    throw new Error(text);
  });
  server.registerTool("sample", {}, async () => {
    const { content: answer } = await server.server.createMessage({
      systemPrompt: text,
      messages: [{ role: "user", content: { type: "text", text } }],
      maxTokens: 10,
    });
    reached.push(answer);
    return content("sampled");
  });
  server.registerTool("elicit", {}, async () => {
    const requestedSchema = { type: "object" as const, properties: { note: { type: "string" as const } } };
    reached.push(await server.server.elicitInput({ message: text, requestedSchema }));
    return content("asked");
  });
  server.registerResource("note", "note://1", {}, () => ({ contents: [{ uri: "note://1", text }] }));
  server.registerPrompt("greet", { argsSchema: { who: z.string() } }, ({ who }) => {
    reached.push(who);
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  });
  plain.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    reached.push(params.systemPrompt, params.messages);
    return { role: "assistant", model: "m", content: { type: "text", text } };
  });
  plain.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    reached.push(params.message);
    return { action: "accept", content: { note: text } };
  });
  plain.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void reached.push(params.data));
};

/** The answers to everything that a client can ask for. */
const given = async (client: Client, onprogress: (progress: unknown) => void): Promise<unknown[]> => [
  await client.callTool({ name: "tell", arguments: { of: text } }, undefined, { onprogress }),
  await client.callTool({ name: "fail" }),
  await client.callTool({ name: "sample" }),
  await client.callTool({ name: "elicit" }),
  await client.readResource({ uri: "note://1" }),
  await client.getPrompt({ name: "greet", arguments: { who: text } }),
];

async function nowhere(side: "client" | "server", order: number, link?: readonly [Transport, Transport]) {
  const { plugins, written } = watched({ order });
  const reached: unknown[] = [];
  const at = side === "client" ? { atClient: plugins } : { atServer: plugins };
  const { client } = await pair(telling(reached), { ...at, ...(link && { link }) });
  const got = await given(client, (progress) => reached.push(progress));
  const { spans, records } = await written();
  expect({ given: found(got), reached: found(reached), spans: found(spans), records: found(records) }).toEqual({
    given: [],
    reached: [],
    spans: [],
    records: [],
  });
  expect([reached.length, got.length, spans.length]).toEqual([9, 6, 8]);
  expect(JSON.stringify(records)).toContain("REDACTED");
}

describe.each(["client", "server"] as const)("with the three plugins at the %s", (side) => {
  it.each([0, 1, 2, 3, 4, 5])("in order %i of six, ten kinds of personal data are found nowhere", (order) =>
    nowhere(side, order),
  );

  it("over HTTP, where answers are streamed, neither", async () => {
    const { clientSide, serverSide, close } = await httpLink();
    await nowhere(side, 0, [clientSide, serverSide]);
    close();
  });
});

it("what is planted is found where no plugin is", async () => {
  const { client } = await pair((server) => void server.registerTool("tell", {}, () => content(text)));
  expect(found(await client.callTool({ name: "tell" }))).toEqual(Object.values(planted));
});
