import { afterEach, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { definePlugin, type Plugin } from "@suite/core";
import { withPlugins } from "../src/index.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

/** Replaces the word "secret" in results, and counts the tool calls. */
function guard() {
  const calls: string[] = [];
  const plugin = definePlugin({
    name: "guard",
    async tool(invocation, callNext) {
      calls.push(invocation.request.tool.name);
      await callNext();
      const value = await invocation.result?.final();
      invocation.respond({ value: JSON.parse(JSON.stringify(value).replaceAll("secret", "REDACTED")) });
    },
  });
  return { plugin, calls };
}

function targets({ atClient = [], atServer = [] }: { atClient?: readonly Plugin[]; atServer?: readonly Plugin[] }) {
  const plain = new McpServer({ name: "shop", version: "1.0.0" });
  plain.registerTool("look", {}, () => ({ content: [{ type: "text", text: "a secret" }] }));
  const server = withPlugins(plain, atServer);
  const client = withPlugins(new Client({ name: "desk", version: "1.0.0" }), atClient);
  open.push(client, server);
  return { client, server };
}
async function connected(plugins: { atClient?: readonly Plugin[]; atServer?: readonly Plugin[] }) {
  const { client, server } = targets(plugins);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const look = async () =>
    JSON.stringify((await client.callTool({ name: "look" }, undefined, { timeout: 2000 })).content);
  return { client, server, look, clientSide, serverSide };
}

/** The ways to put a recorder between a transport and what uses it. */
const wrappers: Readonly<Record<string, (transport: Transport, note: (message: JSONRPCMessage) => void) => void>> = {
  "onmessage, by assignment": (transport, note) => {
    const before = transport.onmessage;
    transport.onmessage = (message, extra) => {
      note(message);
      before?.(message, extra);
    };
  },
  "send, bound, by assignment": (transport, note) => {
    const before = transport.send.bind(transport);
    transport.send = (message, options) => {
      note(message);
      return before(message, options);
    };
  },
  "send, called with its this": (transport, note) => {
    const before = transport.send;
    transport.send = function (message, options) {
      note(message);
      return before.call(this, message, options);
    };
  },
  "send, as a property that was defined": (transport, note) => {
    const before = transport.send.bind(transport);
    const value: Transport["send"] = (message, options) => {
      note(message);
      return before(message, options);
    };
    Object.defineProperty(transport, "send", { value, configurable: true, writable: true });
  },
};

describe("a connected client or server", () => {
  it("has the transport that it was connected to", async () => {
    const { client, server, clientSide, serverSide } = await connected({
      atClient: [guard().plugin],
      atServer: [guard().plugin],
    });
    expect(client.transport).toBe(clientSide);
    expect(server.server.transport).toBe(serverSide);
  });

  it.each(Object.entries(wrappers))("goes on with its layers when a wrapper is put round %s", async (_, wrap) => {
    for (const sides of ["atClient", "atServer"] as const) {
      const { plugin, calls } = guard();
      const { client, server, look } = await connected({ [sides]: [plugin] });
      const noted: JSONRPCMessage[] = [];
      for (const transport of [client.transport, server.server.transport]) {
        if (transport === undefined) throw new Error("It is not connected.");
        // Twice: a wrapper of a wrapper.
        for (const _again of [1, 2]) wrap(transport, (message) => void noted.push(message));
      }
      await client.ping();
      expect(await look()).toContain("a REDACTED");
      expect(calls).toEqual(["look"]);
      expect(noted.filter((message) => "method" in message && message.method === "tools/call")).toHaveLength(2);
    }
  });

  it("goes on with its layers when a subclass wraps what its protocol uses", async () => {
    class Recording extends Client {
      readonly noted: JSONRPCMessage[] = [];
      kind = "";
      record(): void {
        const { transport } = this;
        this.kind = transport?.constructor.name ?? "";
        if (transport !== undefined)
          for (const wrap of Object.values(wrappers)) wrap(transport, (m) => this.noted.push(m));
      }
    }
    const { plugin, calls } = guard();
    const { server } = targets({});
    const client = withPlugins(new Recording({ name: "desk", version: "1.0.0" }), [plugin]);
    open.push(client);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    client.record();
    expect(JSON.stringify(await client.callTool({ name: "look" }))).toContain("a REDACTED");
    expect(calls).toEqual(["look"]);
    expect(client.noted.length).toBeGreaterThanOrEqual(4);
    expect(client.kind).toBe("InMemoryTransport");
  });
});

describe("a wrapper that throws for an answer", () => {
  it("is reported by onerror, and ends neither the process nor the connection", async () => {
    class Throwing extends Client {
      guarded(): void {
        const { transport } = this;
        const before = transport?.onmessage;
        if (transport === undefined) return;
        transport.onmessage = (message, extra) => {
          before?.(message, extra);
          if ("result" in message) throw new Error("of the wrapper");
        };
      }
    }
    const { server } = targets({});
    const client = withPlugins(new Throwing({ name: "desk", version: "1.0.0" }), [guard().plugin]);
    open.push(client);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    const errors: string[] = [];
    client.onerror = ({ message }) => void errors.push(message);
    client.guarded();
    for (const _ of [1, 2]) expect(JSON.stringify(await client.callTool({ name: "look" }))).toContain("a REDACTED");
    expect(errors).toEqual(["of the wrapper", "of the wrapper"]);
  });
});

describe("a connect that is assigned to a wrapped target", () => {
  it("is called, and what it replaced connects with the layers", async () => {
    const { plugin, calls } = guard();
    const { client, server } = targets({ atClient: [plugin] });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const connectedTo: unknown[] = [];
    const connect = client.connect.bind(client);
    const instrumented: typeof client.connect = (transport, options) => {
      connectedTo.push(transport);
      return connect(transport, options);
    };
    client.connect = instrumented;
    expect(client.connect).toBe(instrumented);
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    expect(JSON.stringify(await client.callTool({ name: "look" }))).toContain("a REDACTED");
    expect([connectedTo, calls]).toEqual([[clientSide], ["look"]]);
  });

  it("of a lower-level server is called by the server above it, with the layers once", async () => {
    const { plugin, calls } = guard();
    const { client, server } = targets({ atServer: [plugin] });
    let called = 0;
    const connect = server.server.connect.bind(server.server);
    server.server.connect = (transport) => {
      called++;
      return connect(transport);
    };
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    await client.callTool({ name: "look" });
    expect([called, calls]).toEqual([1, ["look"]]);
  });

  it("is gone when it is deleted", async () => {
    const { client } = targets({ atClient: [guard().plugin] });
    const before = client.connect;
    client.connect = async () => {};
    delete (client as Partial<typeof client>).connect;
    expect(client.connect).toBe(before);
  });
});
