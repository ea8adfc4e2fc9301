import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** Two transports that find each other over HTTP, where answers are streamed. Connect the server's first. */
export async function httpLink() {
  const serverSide = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  const http = createServer((request, response) => void serverSide.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const clientSide = new StreamableHTTPClientTransport(
    new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
  );
  // The SDK's own types do not agree with one another under `exactOptionalPropertyTypes`.
  return { clientSide: clientSide as Transport, serverSide: serverSide as Transport, close: () => http.close() };
}
