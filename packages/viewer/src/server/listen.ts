import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ViewerError } from "../errors.js";
import { answerWithin, type Service } from "./boundary.js";

/** A server that listens on this machine only. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** A port to listen on. */
export interface Port {
  readonly port: number;
  /** The port's purpose, for the error. */
  readonly what: string;
  /** True if any other port is used when another program has this one. */
  readonly orAny: boolean;
}

/**
 * Listens on 127.0.0.1.
 *
 * @throws ViewerError `ERR_VIEWER_PORT` if the port cannot be used, and no other one may be
 */
export async function listen({ port, what, orAny }: Port, serviceAt: (port: number) => Service): Promise<Listening> {
  try {
    return await listenAt(port, what, serviceAt);
  } catch (error) {
    if (!orAny || port === 0) throw error;
    return listenAt(0, what, serviceAt);
  }
}

/**
 * The lifetime of an idle connection in milliseconds. Exporters send every five seconds, which is also Node's default:
 * requests would often meet a closing connection.
 */
const keepAlive = 75_000;

async function listenAt(port: number, what: string, serviceAt: (port: number) => Service): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: keepAlive });
  const actual = await new Promise<number>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(error, port, what)));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const service = serviceAt(actual);
  server.on("request", (request, response) => void answerWithin(service, request, response));
  return { port: actual, close: () => closed(server) };
}

function portError({ code }: NodeJS.ErrnoException, port: number, what: string): ViewerError {
  const why =
    code === "EADDRINUSE"
      ? "another program uses it: stop that program, or use another port"
      : code === "EACCES"
        ? "this user may not use it: use a port above 1023"
        : "the operating system refused it";
  return new ViewerError("ERR_VIEWER_PORT", `Port ${port} for ${what} cannot be used: ${why}.`);
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
