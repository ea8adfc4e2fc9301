import { describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { definePlugin, type Plugin } from "@suite/core";
import { promisesOf } from "../../../../integration-tests/promises.js";
import { withPlugins } from "../src/index.js";
import { pair } from "./pair.js";

const watching = definePlugin({ name: "watch", observe() {}, begin() {}, end() {} });
const layered = definePlugin({ name: "layered", tool: (_, callNext) => callNext() });

/** The number of promises that a call of a tool makes, at both sides together. */
async function promisesPerCall(plugins: readonly Plugin[]): Promise<number> {
  const { client } = await pair(
    (server) => server.registerTool("greet", {}, () => ({ content: [{ type: "text", text: "Hello." }] })),
    { atClient: plugins, atServer: plugins },
  );
  const calls = async () => {
    for (let call = 0; call < 20; call++) await client.callTool({ name: "greet" });
  };
  return (await promisesOf(calls)) / 20;
}

describe("a layer that changes nothing", () => {
  it("leaves what is sent the same to the byte", async () => {
    const sent = async (plugins: readonly Plugin[]): Promise<string> => {
      const { client, wire } = await pair(
        (server) => server.registerTool("greet", {}, () => ({ content: [{ type: "text", text: "Hello." }] })),
        { atClient: plugins, atServer: plugins },
      );
      await client.callTool({ name: "greet" });
      return wire();
    };
    const bare = await sent([]);
    expect(bare).toContain("Hello.");
    expect(await sent([layered])).toBe(bare);
  });
});

describe("plugins that look at no message", () => {
  it("cost no promise, at either side", async () => {
    const bare = await promisesPerCall([]);
    expect(bare).toBeGreaterThan(10);
    expect((await promisesPerCall([watching])) / bare).toBeLessThanOrEqual(1.1);
    expect(await promisesPerCall([layered])).toBeGreaterThan(bare * 1.1);
  });

  it("leave the transport as it is", async () => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const client = withPlugins(new Client({ name: "desk", version: "1.0.0" }), [watching]);
    const connecting = client.connect(clientSide).catch(() => {});
    expect(client.transport).toBe(clientSide);
    await serverSide.close();
    await connecting;
  });
});
