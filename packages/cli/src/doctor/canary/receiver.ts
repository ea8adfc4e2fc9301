import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** The most bytes that are kept. A tiny run sends a few thousand. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A local receiver of OTLP that keeps all requests. */
export interface Receiver {
  readonly endpoint: string;
  /** Returns true if a string arrived in any request, of any signal. */
  has(text: string): boolean;
  /** Returns true if spans arrived. */
  spans(): boolean;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: Buffer[] = [];
  let spans = false;
  let bytes = 0;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MOST_BYTES) request.destroy();
      else pieces.push(piece);
    });
    request.on("end", () => {
      bodies.push(unpacked(Buffer.concat(pieces), request.headers["content-encoding"]));
      if (request.url === "/v1/traces") spans = true;
      const type = request.headers["content-type"] ?? "application/json";
      response.writeHead(200, { "content-type": type }).end(type.includes("json") ? "{}" : "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    has: (text) => bodies.some((body) => body.includes(text)),
    spans: () => spans,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding !== "gzip") return body;
  try {
    return gunzipSync(body, { maxOutputLength: MOST_BYTES });
  } catch {
    return body;
  }
}
