import type { ServerResponse } from "node:http";
import { inTime } from "@suite/kit/time";
import type { Fault } from "./fault.js";

/** The transfer to send: a status, headers, and the body in pieces, up to a fault. */
export interface Transfer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Buffer[];
}

/** The end of a transfer: complete, cut on purpose, or closed by the client (or by the server's `close`). */
export type TransferEnd = "completed" | "cut" | "closed";

/**
 * The time for a client to start reading. Pieces that arrive earlier are joined in its buffers, and their boundaries
 * are lost.
 */
const millisecondsToAttach = 5;

/**
 * Sends each piece as a separate chunk and waits until the system has accepted it, so that everything before a cut
 * arrives. Stops waiting when the connection closes.
 */
export async function send(response: ServerResponse, transfer: Transfer, fault: Fault = {}): Promise<TransferEnd> {
  const closed = new Promise<void>((resolve) => {
    response.once("close", resolve);
  });
  const stop = fault.cut ?? fault.hang;
  if (response.destroyed) return "closed";
  if (stop !== "before-headers") {
    response.writeHead(transfer.status, transfer.headers);
    response.flushHeaders();
    if (fault.split !== undefined) await inTime(closed, millisecondsToAttach);
    for (const piece of transfer.pieces) {
      if (fault.delay !== undefined) await inTime(closed, fault.delay);
      if (response.destroyed) return "closed";
      await Promise.race([closed, new Promise((resolve) => response.write(piece, resolve))]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (fault.cut !== undefined) {
    response.destroy();
    return "cut";
  }
  if (fault.hang === undefined) response.end();
  await closed;
  return response.writableFinished ? "completed" : "closed";
}
