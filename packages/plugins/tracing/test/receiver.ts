import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Takes OTLP over HTTP on loopback and keeps what came. */
export interface Receiver {
  readonly port: number;
  readonly paths: string[];
  /** Each request as text: an ExportTraceServiceRequest in JSON. */
  readonly bodies: string[];
  stop(): Promise<void>;
}

/** Answers everything with `status`. */
export async function startReceiver(status = 200): Promise<Receiver> {
  const paths: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      paths.push(request.url ?? "");
      bodies.push(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    bodies,
    stop: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}
