import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** Takes what a collector sends on, and keeps it. */
export interface Receiver {
  readonly url: string;
  readonly bodies: string[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request);
    bodies.push(String(request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes));
    response.setHeader("content-type", "application/json").end("{}");
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
