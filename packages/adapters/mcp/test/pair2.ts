import { afterEach } from "@jest/globals";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Plugin } from "@suite/core";
import { withPlugins } from "../src/index.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

/** The connections of version 2: one channel for all messages, one HTTP request for each, and the protocol before 2026. */
export const links = ["channel", "http", "legacy"] as const;
export type Link = (typeof links)[number];

const capabilities = { sampling: {}, elicitation: { form: {} } };

/** A server and a client of version 2 that are connected. Over HTTP a server exists for each request. */
export async function pair2(
  set: (server: McpServer) => void,
  {
    atClient = [],
    atServer = [],
    link = "channel",
    onClient = () => {},
    autoFulfill = true,
  }: {
    readonly atClient?: readonly Plugin[];
    readonly atServer?: readonly Plugin[];
    readonly link?: Link;
    readonly onClient?: (client: Client) => void;
    readonly autoFulfill?: boolean;
  } = {},
) {
  const made = () => {
    const server = new McpServer({ name: "shop", version: "1.0.0" }, { capabilities: { logging: {} } });
    set(server);
    return withPlugins(server, atServer);
  };
  const plain = new Client(
    { name: "desk", version: "1.0.0" },
    {
      capabilities,
      versionNegotiation: { mode: link === "legacy" ? "legacy" : "auto" },
      inputRequired: { autoFulfill },
    },
  );
  onClient(plain);
  const client = withPlugins(plain, atClient);
  const wire: string[] = [];
  const headers: Headers[] = [];
  if (link === "http") {
    const handler = createMcpHandler(made);
    const fetch = async (url: string | URL, init?: RequestInit) => {
      const request = new Request(url, init);
      headers.push(request.headers);
      if (typeof init?.body === "string") wire.push(init.body);
      const response = await handler.fetch(request);
      const [body, copy] = response.body?.tee() ?? [null, null];
      void new Response(copy).text().then(
        (text) => wire.push(text),
        () => {},
      );
      return new Response(body, response);
    };
    await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
    open.push(client, handler);
  } else {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    for (const side of [clientSide, serverSide]) {
      const send = side.send.bind(side);
      side.send = (message, options) => {
        wire.push(JSON.stringify(message));
        return send(message, options);
      };
    }
    if (link === "channel") open.push(serveStdio(made, { transport: serverSide }));
    else {
      const server = made();
      await server.connect(serverSide);
      open.push(server);
    }
    await client.connect(clientSide);
    open.push(client);
  }
  return {
    client,
    /** The client without plugins. */
    plain,
    headers,
    /** All that was sent, either way, as text. */
    wire: () => wire.join("\n"),
  };
}
