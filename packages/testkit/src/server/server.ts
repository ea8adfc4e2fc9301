import { createServer, type Server } from "node:http";
import { TestkitError } from "../errors.js";
import type { ModelAnswer } from "./answer.js";
import { Handler } from "./handler.js";
import type { RecordedRequest } from "./request.js";
import { type Responder, Script } from "./script.js";

/** The options of `startModelServer`. */
export interface ModelServerOptions {
  /** The port on 127.0.0.1. Default 0, which takes a free one. */
  readonly port?: number;
  /** Longer request bodies are refused with 413. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** The number of requests that are kept. The latest ones are kept. Default 1000. */
  readonly maxRequests?: number;
}

/** A fake model that speaks the real protocols. */
export interface ModelServer {
  /**
   * The address, such as `http://127.0.0.1:49152`. Add `/v1` for the `openai` client, but not for the
   * `@anthropic-ai/sdk` client.
   */
  readonly url: string;
  readonly port: number;
  /** The received requests, the oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Adds answers to the queue. A function answers all requests when the queue is empty. */
  script(...entries: readonly (ModelAnswer | Responder)[]): void;
  /** Clears the script and the requests. */
  reset(): void;
  /** Closes all connections, including those that hang. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a fake model server on loopback, for `/v1/chat/completions`, `/v1/responses`, `/v1/messages` (JSON, and event
 * streams if the request has `stream`), and `/v1/embeddings`.
 *
 * @throws TestkitError `ERR_TESTKIT_PORT_IN_USE` or `ERR_TESTKIT_LISTEN`.
 * @example
 * ```ts
 * const server = await startModelServer();
 * server.script({ text: "Hello, Ada.", chunks: "characters" });
 * const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1` });
 * // …
 * await server.close();
 * ```
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const script = new Script();
  const requests: RecordedRequest[] = [];
  const maxRequests = options.maxRequests ?? 1000;
  const handler = new Handler({
    script,
    maxBodyBytes: options.maxBodyBytes ?? 32 * 1024 * 1024,
    record(request) {
      requests.push(request);
      if (requests.length > maxRequests) requests.shift();
    },
  });
  const server = createServer((request, response) => {
    handler.handle(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, options.port ?? 0);
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    script: (...entries) => script.add(entries),
    reset() {
      script.clear();
      requests.length = 0;
    },
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closing;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, port)));
    try {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    } catch (error) {
      reject(listenError(error as NodeJS.ErrnoException, port));
    }
  });
}

function listenError(error: NodeJS.ErrnoException, port: number): TestkitError {
  return error.code === "EADDRINUSE"
    ? new TestkitError(
        "ERR_TESTKIT_PORT_IN_USE",
        `Port ${port} on 127.0.0.1 is in use. Choose another, or 0 for a free one.`,
        {
          cause: error,
        },
      )
    : new TestkitError(
        "ERR_TESTKIT_LISTEN",
        `The model server cannot listen on 127.0.0.1:${port} (${error.code ?? error.message}).`,
        { cause: error },
      );
}
