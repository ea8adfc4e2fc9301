import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ViewerError } from "../errors.js";

/** A server that listens on this machine alone. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. @param what the port is for, for the error.
 *
 * @throws ViewerError `ERR_VIEWER_PORT` where another program has the port.
 */
export async function listen(
  port: number,
  what: string,
  answer: (port: number) => RequestListener,
): Promise<Listening> {
  const server = createServer();
  const actual = await new Promise<number>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(error, port, what)));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  server.on("request", answer(actual));
  return { port: actual, close: () => closed(server) };
}

function portError({ code }: NodeJS.ErrnoException, port: number, what: string): ViewerError {
  const why =
    code === "EADDRINUSE"
      ? "another program listens there: end it, or give another port"
      : code === "EACCES"
        ? "this user may not listen there: give one above 1023"
        : "the machine does not let it";
  return new ViewerError("ERR_VIEWER_PORT", `Port ${port}, for ${what}, cannot be used: ${why}.`);
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
