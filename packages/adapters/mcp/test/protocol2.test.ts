import { afterEach, describe, expect, it } from "@jest/globals";
import { Client, InMemoryTransport, SdkErrorCode } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { definePlugin, type Invocation } from "@suite/core";
import { pii } from "@suite/pii";
import { withPlugins } from "../src/index.js";
import { pair2 } from "./pair2.js";

const PROTOCOL = "2026-07-28";
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

const idle = () =>
  definePlugin({
    name: "idle",
    tool: async (_: Invocation<"tool">, callNext) => {
      await callNext();
    },
  });

/** A client whose server answers tool calls with this result. The server is not one of the SDK. */
async function answeredWith(result: object, plugins: Parameters<typeof withPlugins>[1]) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serverSide.onmessage = (message) => {
    if (!("method" in message && "id" in message)) return;
    const discovered = { supportedVersions: [PROTOCOL], capabilities: { tools: {} } };
    const answer = message.method === "tools/call" ? result : discovered;
    void serverSide.send({ jsonrpc: "2.0", id: message.id, result: answer as never });
  };
  await serverSide.start();
  const about = { name: "desk", version: "1.0.0" };
  const client = withPlugins(new Client(about, { versionNegotiation: { mode: { pin: PROTOCOL } } }), plugins);
  await client.connect(clientSide);
  open.push(client);
  return client;
}

/** Sends one request of this protocol to a server over HTTP. */
async function post(server: () => McpServer, method: string, params: object) {
  const handler = createMcpHandler(server, { legacy: "reject" });
  open.push(handler);
  const meta = "io.modelcontextprotocol/";
  const _meta = {
    [`${meta}protocolVersion`]: PROTOCOL,
    [`${meta}clientInfo`]: { name: "desk", version: "1.0.0" },
    [`${meta}clientCapabilities`]: {},
  };
  const response = await handler.fetch(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": PROTOCOL,
        "mcp-method": method,
        ...("name" in params && { "mcp-name": String(params.name) }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    }),
  );
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("a result without its type", () => {
  const text = { type: "text", text: "Write to jane.doe@example.com" };

  it.each([
    ["no plugins", []],
    ["an idle layer", [idle()]],
    ["a guard that changes it", [pii({ email: "redact" }, { apply: { toolResults: true } })]],
  ])("is refused by the client with %s", async (_, plugins) => {
    const client = await answeredWith({ content: [text] }, plugins);
    await expect(client.callTool({ name: "look" })).rejects.toMatchObject({ code: SdkErrorCode.InvalidResult });
  });

  it("has a type if a layer answers in place of the server", async () => {
    const instead = definePlugin({
      name: "instead",
      tool: async (invocation: Invocation<"tool">) => invocation.respond({ value: "no" }),
    });
    const client = await answeredWith({ content: [text] }, [instead]);
    expect(await client.callTool({ name: "look" })).toMatchObject({ content: [{ type: "text", text: "no" }] });
  });
});

describe("a request over HTTP for which the server has no handler", () => {
  const bare = () => new McpServer({ name: "shop", version: "1.0.0" });
  const guarded = () => withPlugins(bare(), [idle()]);

  it.each([
    ["tools/call", { name: "look", arguments: {} }],
    ["prompts/get", { name: "look" }],
    ["resources/read", { uri: "note://1", name: "note://1" }],
  ])("has the same status and error with layers: %s", async (method, params) => {
    const before = await post(bare, method, params);
    expect(before).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
    expect(await post(guarded, method, params)).toEqual(before);
  });

  it("passes the layers if the server has a handler for all other methods", async () => {
    const seen: string[] = [];
    const noting = definePlugin({
      name: "noting",
      async tool(invocation: Invocation<"tool">, callNext) {
        seen.push(invocation.request.tool.name);
        await callNext();
      },
    });
    const server = () => {
      const shop = bare();
      shop.server.fallbackRequestHandler = async () => ({ content: [] });
      return withPlugins(shop, [noting]);
    };
    expect(await post(server, "tools/call", { name: "look", arguments: {} })).toMatchObject({ status: 200 });
    expect(seen).toEqual(["look"]);
  });
});

it("an answer to an unknown request is reported as the SDK reports it, without its content", async () => {
  const { client } = await pair2(() => {}, { atClient: [idle()] });
  const errors: string[] = [];
  client.onerror = ({ message }) => errors.push(message);
  client.transport?.onmessage?.({ jsonrpc: "2.0", id: 999, result: { secret: "jane.doe@example.com" } });
  expect(errors).toEqual(["Received a response for an unknown message ID: 999. It was dropped."]);
  expect(errors.join()).not.toContain("jane");
});
