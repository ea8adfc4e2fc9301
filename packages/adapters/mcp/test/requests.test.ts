import { describe, expect, it, jest } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { definePlugin, type Invocation, MiddlewareTermination, type Settlement } from "@suite/core";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { pair } from "./pair.js";

const content = (text: string) => ({ content: [{ type: "text" as const, text }] });
const greet = (server: McpServer) =>
  void server.registerTool("greet", { inputSchema: { who: z.string() } }, ({ who }) => content(`Hello, ${who}.`));
const call = { name: "greet", arguments: { who: "Ada" } };

/** Sees the tool calls, and how they end. */
function watching() {
  const seen: string[] = [];
  const plugin = definePlugin({
    name: "watching",
    async tool(invocation: Invocation<"tool">, callNext) {
      const { tool, input } = invocation.request;
      seen.push(`${tool.name} ${JSON.stringify(input)}`);
      try {
        await callNext();
      } catch (error) {
        seen.push(invocation.runtime.signal.aborted ? "cancelled" : `failed: ${(error as Error).message}`);
        throw error;
      }
      invocation.pipe({ settle: ({ status }: Settlement<unknown>) => void seen.push(status) });
    },
  });
  return { seen, plugin };
}

describe("a tool call", () => {
  it("is one call of the hook on each side", async () => {
    const [atClient, atServer] = [watching(), watching()];
    const { client } = await pair(greet, { atClient: [atClient.plugin], atServer: [atServer.plugin] });
    expect(await client.callTool(call)).toEqual(content("Hello, Ada."));
    const expected = ['greet {"who":"Ada"}', "completed"];
    expect({ client: atClient.seen, server: atServer.seen }).toEqual({ client: expected, server: expected });
  });

  it("that is read as a stream is one call of the hook too", async () => {
    const { seen, plugin } = watching();
    const { client } = await pair(greet, { atClient: [plugin] });
    const messages = [];
    for await (const message of client.experimental.tasks.callToolStream(call)) messages.push(message.type);
    expect(messages).toEqual(["result"]);
    expect(seen).toEqual(['greet {"who":"Ada"}', "completed"]);
  });

  it("that fails is failed for the layers, and the SDK's result for who asked", async () => {
    const { seen, plugin } = watching();
    const { client } = await pair(
      (server) =>
        void server.registerTool("greet", { inputSchema: { who: z.string() } }, () => {
          throw new Error("no door");
        }),
      { atClient: [plugin] },
    );
    expect(await client.callTool(call)).toEqual({ ...content("no door"), isError: true });
    expect(seen[1]).toBe("failed: no door");
  });

  it("that a layer at the client stops throws the layer's own error", async () => {
    const stop = new MiddlewareTermination("closed today");
    const plugin = definePlugin({ name: "stop", tool: () => Promise.reject(stop) });
    const { client, wire } = await pair(greet, { atClient: [plugin] });
    await expect(client.callTool(call)).rejects.toBe(stop);
    expect(wire()).not.toContain("tools/call");
  });

  it("that a layer at the server stops is a failed tool for the model", async () => {
    const plugin = definePlugin({ name: "stop", tool: () => Promise.reject(new Error("closed today")) });
    const { client } = await pair(greet, { atServer: [plugin] });
    expect(await client.callTool(call)).toEqual({ ...content("closed today"), isError: true });
  });

  it("that a layer answers itself reaches nobody else", async () => {
    const plugin = definePlugin({
      name: "cache",
      async tool(invocation: Invocation<"tool">) {
        invocation.respond({ value: { known: true } });
      },
    });
    const { client, wire } = await pair(greet, { atClient: [plugin] });
    expect(await client.callTool(call)).toEqual(content('{"known":true}'));
    expect(wire()).not.toContain("tools/call");
  });

  it("that a layer tries again is sent again, under an id of its own", async () => {
    let tries = 0;
    const retry = definePlugin({
      name: "retry",
      async tool(_invocation: Invocation<"tool">, callNext) {
        await callNext().catch(() => callNext());
      },
    });
    const { client, wire } = await pair(
      (server) =>
        void server.registerTool("greet", { inputSchema: { who: z.string() } }, () => {
          if (++tries === 1) throw new Error("not yet");
          return content("now");
        }),
      { atClient: [retry] },
    );
    expect(await client.callTool(call)).toEqual(content("now"));
    const ids = [...wire().matchAll(/"method":"tools\/call"[^}]*}[^}]*}[^}]*"id":("?[^,"}]+)/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it("that the client aborts is cancelled on both sides, and the SDK's error for who asked", async () => {
    const [atClient, atServer] = [watching(), watching()];
    const controller = new AbortController();
    const { client } = await pair(
      (server) =>
        void server.registerTool("greet", { inputSchema: { who: z.string() } }, async () => {
          setTimeout(() => controller.abort(new Error("enough")), 5);
          return new Promise(() => {});
        }),
      { atClient: [atClient.plugin], atServer: [atServer.plugin] },
    );
    const error = await client.callTool(call, undefined, { signal: controller.signal }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(McpError);
    expect(error.message).toContain("enough");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([atClient.seen[1], atServer.seen[1]]).toEqual(["cancelled", "cancelled"]);
  });

  it("that is under way when the connection closes is cancelled on both sides", async () => {
    const [atClient, atServer] = [watching(), watching()];
    const { client, server } = await pair(
      (plain) =>
        void plain.registerTool("greet", { inputSchema: { who: z.string() } }, async () => {
          setTimeout(() => void server.close(), 5);
          return new Promise(() => {});
        }),
      { atClient: [atClient.plugin], atServer: [atServer.plugin] },
    );
    await expect(client.callTool(call)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([atClient.seen[1], atServer.seen[1]]).toEqual(["cancelled", "cancelled"]);
  });

  it("of a thousand leaves nothing behind in the SDK, stopped or not", async () => {
    let count = 0;
    const plugin = definePlugin({
      name: "half",
      async tool(_invocation: Invocation<"tool">, callNext) {
        if (++count % 2 === 0) throw new Error("stopped");
        await callNext();
      },
    });
    const plain = new Client({ name: "desk", version: "1.0.0" });
    const client = withPlugins(plain, [plugin]);
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    greet(server);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    await Promise.allSettled(Array.from({ length: 1000 }, () => client.callTool(call)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { _responseHandlers, _timeoutInfo } = plain as unknown as Record<string, Map<unknown, unknown>>;
    expect([_responseHandlers?.size, _timeoutInfo?.size]).toEqual([0, 0]);
    await client.close();
  });
});

describe("structured content that a layer changed", () => {
  const masking = definePlugin({
    name: "masking",
    async tool(invocation: Invocation<"tool">, callNext) {
      await callNext();
      invocation.pipe({
        chunk: (chunk, emit) => emit(JSON.parse(JSON.stringify(chunk).replaceAll("ada@x.example", "[REDACTED]"))),
      });
    },
  });
  const register = (mail: z.ZodString) => (server: McpServer) =>
    void server.registerTool("look", { outputSchema: { mail, visits: z.number() } }, () => ({
      ...content("found ada@x.example"),
      structuredContent: { mail: "ada@x.example", visits: 3 },
    }));

  it("still has the form that the tool has promised", async () => {
    const { client } = await pair(register(z.string()), { atServer: [masking] });
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: "look" });
    expect(structuredContent).toEqual({ mail: "[REDACTED]", visits: 3 });
  });

  it("is refused by the SDK, and not returned unchanged, if the schema requires more", async () => {
    const { client } = await pair(register(z.string().email()), { atServer: [masking] });
    await client.listTools();
    const error = await client.callTool({ name: "look" }).catch((thrown) => thrown);
    expect(error.message).toContain("does not match the tool's output schema");
    expect(error.message).not.toContain("ada@");
  });
});

describe("plugins that are attached", () => {
  it("twice are there once", async () => {
    const { seen, plugin } = watching();
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    greet(server);
    const once = withPlugins(new Client({ name: "desk", version: "1.0.0" }), [plugin]);
    const twice = withPlugins(once, [plugin]);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), twice.connect(clientSide)]);
    await twice.callTool(call);
    expect(seen).toEqual(['greet {"who":"Ada"}', "completed"]);
    await twice.close();
  });

  it("leave the target itself as it was", async () => {
    const { seen, plugin } = watching();
    const plain = new Client({ name: "desk", version: "1.0.0" });
    withPlugins(plain, [plugin]);
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    greet(server);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), plain.connect(clientSide)]);
    await plain.callTool(call);
    expect(seen).toEqual([]);
    await plain.close();
  });

  it("are refused, by types and when they come, where they require what MCP has no place for", () => {
    jest.spyOn(console, "warn").mockImplementation(() => {});
    const rounds = definePlugin({ name: "rounds", reasoning: (_: unknown, callNext) => callNext() });
    const client = new Client({ name: "desk", version: "1.0.0" });
    // @ts-expect-error MCP has no rounds
    expect(() => withPlugins(client, [rounds])).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
    const optional = definePlugin({ ...rounds, whereOffered: ["reasoning"] });
    expect(withPlugins(client, [optional])).toBeInstanceOf(Client);
  });

  it("may not suspend what cannot be answered later", async () => {
    const plugin = definePlugin({
      name: "later",
      async tool(invocation: Invocation<"tool">) {
        invocation.respond({ suspended: [] });
      },
    });
    const { client } = await pair(greet, { atClient: [plugin] });
    await expect(client.callTool(call)).rejects.toMatchObject({ code: "ERR_MCP_SUSPENDED" });
  });
});
