import { describe, expect, it } from "@jest/globals";
import * as client2 from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as server2 from "@modelcontextprotocol/server";
import { definePlugin, type Invocation } from "@suite/core";
import { withPlugins } from "../src/index.js";

const content = (text: string) => ({ content: [{ type: "text" as const, text }] });

function counting() {
  const seen: string[] = [];
  const plugin = definePlugin({
    name: "count",
    async tool({ request }: Invocation<"tool">, callNext) {
      seen.push(request.tool.name);
      await callNext();
    },
  });
  return { seen, plugin };
}
function shop() {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  server.registerTool("greet", {}, () => content("Hello."));
  return server;
}
async function asked(server: Pick<McpServer, "connect">, client = new Client({ name: "desk", version: "1.0.0" })) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}

describe("a wrapped target", () => {
  it("of a class with private fields is one of that class still", async () => {
    class Desk extends Client {
      #greeted = 0;
      get greeted() {
        return this.#greeted;
      }
      set greeted(times: number) {
        this.#greeted = times;
      }
      async greet() {
        this.#greeted++;
        return this.callTool({ name: "greet" });
      }
    }
    const { seen, plugin } = counting();
    const desk = withPlugins(new Desk({ name: "desk", version: "1.0.0" }), [plugin]);
    await asked(shop(), desk);
    desk.greeted = 4;
    await desk.greet();
    expect(desk).toBeInstanceOf(Desk);
    expect(desk.greeted).toBe(5);
    expect(seen).toEqual(["greet"]);
    await desk.close();
  });

  it("has one lower-level server, whose plugins are there once however it is connected", async () => {
    const { seen, plugin } = counting();
    const server = withPlugins(shop(), [plugin]);
    expect(server.server).toBe(server.server);
    const told: (string | undefined)[] = [];
    server.server.oninitialized = () => void told.push(server.server.getClientVersion()?.name);
    const client = await asked(withPlugins(server.server, [plugin]));
    await client.callTool({ name: "greet" });
    expect(seen).toEqual(["greet"]);
    expect(told).toEqual(["desk"]);
    await client.close();
  });

  it("is connected to one transport after another, with nothing left of the first", async () => {
    const [atClient, atServer] = [counting(), counting()];
    const server = withPlugins(shop(), [atServer.plugin]);
    const client = withPlugins(new Client({ name: "desk", version: "1.0.0" }), [atClient.plugin]);
    for (const _ of [1, 2, 3]) {
      await asked(server, client);
      expect(await client.callTool({ name: "greet" })).toEqual(content("Hello."));
      await client.close();
    }
    expect([atClient.seen.length, atServer.seen.length]).toEqual([3, 3]);
  });
});

describe("a target that is not served", () => {
  const info = { name: "desk", version: "1.0.0" };
  it.each<[string, object, RegExp]>([
    ["a client of version 2", new client2.Client(info), /This Client is from version 2 of the MCP SDK/],
    ["a server of version 2", new server2.Server(info), /This Server is of version 2/],
    ["a McpServer of version 2", new server2.McpServer(info), /This McpServer is of version 2/],
    ["a plain object", {}, /takes a Client, a Server or an McpServer/],
    ["an object with a server that is none", { server: {} }, /takes a Client/],
  ])("is refused by name: %s", (_, target, message) => {
    const { plugin } = counting();
    const attach = () => withPlugins(target as never, [plugin]);
    expect(attach).toThrow(message);
    expect(attach).toThrow(expect.objectContaining({ code: "ERR_MCP_TARGET" }));
  });
});
