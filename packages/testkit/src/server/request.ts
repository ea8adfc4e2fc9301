import type { IncomingMessage } from "node:http";
import type { TransferEnd } from "./transport.js";

/** One request that the server received, for assertions. */
export interface RecordedRequest {
  readonly method: string;
  /** The path with the query string. */
  readonly path: string;
  /** Names in lower case; several values of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON. `undefined` if the body is empty, is not JSON, or was refused. */
  readonly body: unknown;
  /** The end of its answer. It is `closed` if the client aborts. */
  readonly ended: Promise<TransferEnd>;
}

/** The result of reading a body. */
export type Body = { readonly value: unknown } | { readonly problem: "too large" | "not JSON" | "broken off" };

/** Reads a JSON body. If it is too long, at most `limit` bytes are kept and the rest is not read. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > limit) return { problem: "too large" };
      pieces.push(piece);
    }
  } catch {
    return { problem: "broken off" };
  }
  const text = Buffer.concat(pieces).toString("utf8");
  if (text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "not JSON" };
  }
}

export function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(request.headers).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]),
  );
}
