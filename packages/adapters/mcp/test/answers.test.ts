import { describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PingRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { definePlugin, type Invocation, type Plugin } from "@suite/core";
import { withPlugins } from "../src/index.js";

const MAIL = "jane.doe@example.com";
const content = (text: string) => ({ content: [{ type: "text" as const, text }] });
const pause = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause();
};
const initialized = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "shop", version: "1" } };

/** Takes the address out of what tools answer, a moment later. */
const guard = definePlugin({
  name: "guard",
  async tool(invocation: Invocation<"tool">, callNext) {
    await callNext();
    await pause();
    invocation.pipe({
      chunk: (chunk, emit) => emit(JSON.parse(JSON.stringify(chunk).replaceAll(MAIL, "[X]"))),
    });
  },
});
/** Fails without waiting for the answer. */
const hasty = definePlugin({
  name: "hasty",
  async tool(_invocation: Invocation<"tool">, callNext) {
    const answered = callNext();
    answered.catch(() => {});
    await pause();
    throw new Error("too slow");
  },
});

type Raw = { readonly id: unknown; readonly result?: unknown };

/** A client with plugins, and the other end of its transport, which answers tool calls as it likes. */
async function clientOf(plugins: readonly Plugin[], answer: (id: number, send: (raw: Raw) => void) => void) {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const send = (raw: Raw) => void there.send({ jsonrpc: "2.0", ...raw } as JSONRPCMessage);
  const got: JSONRPCMessage[] = [];
  there.onmessage = (message) => {
    got.push(message);
    const { id, method } = message as JSONRPCRequest;
    if (method === "initialize") send({ id, result: initialized });
    if (method === "tools/call") answer(id as number, send);
  };
  const client = withPlugins(new Client({ name: "desk", version: "1.0.0" }), plugins);
  const told: string[] = [];
  client.onerror = (error) => void told.push(String(error));
  await client.connect(here);
  return { client, send, told, got };
}

describe("a client is given no answer that the layers have not seen", () => {
  it("under an id that the SDK takes for that of the request", async () => {
    const { client, told } = await clientOf([guard], (id, send) => send({ id: ` ${id}.0`, result: content(MAIL) }));
    expect(await client.callTool({ name: "look" })).toEqual(content("[X]"));
    expect(told).toEqual([]);
  });

  it("when the other side answers twice", async () => {
    const { client, told } = await clientOf([guard], (id, send) => {
      for (const each of [id, id, String(id)]) send({ id: each, result: content(MAIL) });
    });
    expect(await client.callTool({ name: "look" })).toEqual(content("[X]"));
    expect(told.join()).not.toContain(MAIL);
  });

  it("when it arrives too late, nor in an error", async () => {
    let late: (() => void) | undefined;
    const { client, told, got } = await clientOf([hasty], (id, send) => {
      late = () => send({ id, result: content(MAIL) });
    });
    await expect(client.callTool({ name: "look" })).rejects.toThrow("too slow");
    await pause();
    late?.();
    expect(told.join()).not.toContain(MAIL);
    expect(told).toHaveLength(1);
    expect(got.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { requestId: 1 } });
  });

  it("when the call was cancelled", async () => {
    let late: (() => void) | undefined;
    const { client, told } = await clientOf([guard], (id, send) => {
      late = () => send({ id, result: content(MAIL) });
    });
    await expect(client.callTool({ name: "look" }, undefined, { timeout: 5 })).rejects.toThrow("timed out");
    late?.();
    await pause();
    expect(told.join()).not.toContain(MAIL);
  });

  it("while answers to requests that no layer is round are as they were", async () => {
    const { client, send, told, got } = await clientOf([guard], () => {});
    const pinged = client.ping();
    send({ id: (got.at(-1) as JSONRPCRequest).id, result: {} });
    expect(await pinged).toEqual({});
    expect(told).toEqual([]);
  });
});

/** A server with plugins, or a client, of which another end asks what it likes. */
async function serverOf(plugins: readonly Plugin[], set: (server: McpServer) => void) {
  const shop = new McpServer({ name: "shop", version: "1.0.0" });
  set(shop);
  const [here, there] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  const options: (TransportSendOptions | undefined)[] = [];
  const send = here.send.bind(here);
  here.send = (message, option) => {
    sent.push(message);
    options.push(option);
    return send(message, option);
  };
  await withPlugins(shop, plugins).connect(here);
  return { sent, options, ask: (message: object) => there.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage) };
}
const look = { method: "tools/call", params: { name: "look", arguments: {} } };

describe("nothing that the layers have not seen is sent", () => {
  it("when a handler ends after a layer gave up, and the handler is notified", async () => {
    let aborted: boolean | undefined;
    const { sent, ask } = await serverOf([hasty], (server) => {
      server.registerTool("look", {}, async ({ signal }) => {
        await pause(20);
        aborted = signal.aborted;
        return content(MAIL);
      });
    });
    await ask({ id: 7, ...look });
    await until(() => aborted !== undefined && sent.length > 0);
    await pause();
    expect(sent).toEqual([{ jsonrpc: "2.0", id: 7, result: { ...content("too slow"), isError: true } }]);
    expect(aborted).toBe(true);
  });

  it("when a request with the id 0 was cancelled, which the SDK's handler is not told", async () => {
    const plain = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { sampling: {} } });
    plain.setRequestHandler(CreateMessageRequestSchema, async () => {
      await pause(20);
      return { role: "assistant", model: "m", content: { type: "text", text: MAIL } };
    });
    const see = definePlugin({ name: "see", model: async (_: Invocation<"model">, callNext) => callNext() });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const got: JSONRPCMessage[] = [];
    there.onmessage = (message) => {
      got.push(message);
      const { id, method } = message as JSONRPCRequest;
      if (method === "initialize") void there.send({ jsonrpc: "2.0", id, result: initialized });
    };
    await withPlugins(plain, [see]).connect(here);
    const before = got.length;
    const params = { messages: [], maxTokens: 1 };
    await there.send({ jsonrpc: "2.0", id: 0, method: "sampling/createMessage", params });
    await there.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
    await pause(40);
    expect(got.slice(before)).toEqual([]);
  });

  it("and two requests with one id are both answered", async () => {
    const { sent, ask } = await serverOf([guard], (server) => {
      server.registerTool("look", {}, async () => content(MAIL));
    });
    await Promise.all([ask({ id: 7, ...look }), ask({ id: 7, ...look })]);
    await until(() => sent.length >= 2);
    await pause();
    const answer = { jsonrpc: "2.0", id: 7, result: content("[X]") };
    expect(sent).toEqual([answer, answer]);
  });

  it("when another request, that no layer is round, has the same id", async () => {
    const { sent, ask } = await serverOf([guard], (server) => {
      server.registerTool("look", {}, async () => {
        await pause();
        return content(MAIL);
      });
      server.server.setRequestHandler(PingRequestSchema, async () => {
        await pause(20);
        return {};
      });
    });
    await Promise.all([ask({ id: 7, ...look }), ask({ id: 7, method: "ping" })]);
    await until(() => sent.length > 0);
    await pause(40);
    expect(JSON.stringify(sent)).not.toContain(MAIL);
  });

  it("a handler that is called again sends messages under the id of the original request", async () => {
    const again = definePlugin({
      name: "again",
      async tool(_invocation: Invocation<"tool">, callNext) {
        await callNext();
        await callNext();
      },
    });
    const { sent, options, ask } = await serverOf([again], (server) => {
      server.registerTool("look", {}, async ({ sendNotification }) => {
        await sendNotification({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
        return content("seen");
      });
    });
    await ask({ id: 7, ...look });
    await pause();
    expect(sent).toHaveLength(3);
    expect(options.slice(0, 2)).toEqual([{ relatedRequestId: 7 }, { relatedRequestId: 7 }]);
  });
});
