import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** One request: its path, its content type, all its headers, its body. */
interface ReceivedRequest {
  readonly path: string;
  readonly type: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Takes OTLP over HTTP on loopback and keeps what came. */
export interface Receiver {
  readonly port: number;
  readonly paths: string[];
  /** Each request as text: an ExportTraceServiceRequest in JSON. */
  readonly bodies: string[];
  /** The requests as they came. */
  readonly requests: ReceivedRequest[];
  stop(): Promise<void>;
}

/**
 * Starts a receiver.
 *
 * @param status of each response, or a function of the request's content type.
 * @param answer the body of each response.
 */
export async function startReceiver(
  status: number | ((type: string | undefined) => number) = 200,
  answer: string | Uint8Array = "{}",
): Promise<Receiver> {
  const paths: string[] = [];
  const bodies: string[] = [];
  const requests: Receiver["requests"] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      paths.push(request.url ?? "");
      const body = Buffer.concat(chunks);
      bodies.push(body.toString("utf8"));
      const { headers } = request;
      requests.push({ path: request.url ?? "", type: headers["content-type"], headers, body });
      const type = typeof answer === "string" ? "application/json" : "application/x-protobuf";
      const code = typeof status === "number" ? status : status(headers["content-type"]);
      response.writeHead(code, { "content-type": type, connection: "close" }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    bodies,
    requests,
    stop: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}
