import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import { ViewerError } from "../errors.js";

/** The most bytes of a request, compressed or not. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The most bytes of all requests that are read concurrently. */
const MOST_HELD = 256 * 1024 * 1024;

/** The error for a body that exceeds the limit. */
export class TooLarge extends ViewerError {
  constructor() {
    super("ERR_VIEWER_REQUEST", `The body is larger than ${MOST_BYTES / 1024 / 1024} MiB.`);
  }
}

/** The error for a request while others use the memory. The sender may try again. */
export class Busy extends ViewerError {
  constructor() {
    super("ERR_VIEWER_REQUEST", "Too many large requests are read at the same time. Try again later.");
  }
}

/** Reads the bodies of requests, within bounds for each and for all of them together. */
export class Bodies {
  #held = 0;

  /**
   * Reads the body of a request, decompressed if it is gzip, and passes it on.
   *
   * @param work uses the body: its memory counts until the returned promise is settled
   * @throws ViewerError `ERR_VIEWER_REQUEST`
   */
  async use<T>(request: IncomingMessage, work: (body: Buffer) => T | Promise<T>): Promise<T> {
    const pieces: Buffer[] = [];
    let length = 0;
    try {
      for await (const piece of piecesOf(request)) {
        length += piece.length;
        this.#held += piece.length;
        if (length > MOST_BYTES) throw new TooLarge();
        if (this.#held > MOST_HELD) throw new Busy();
        pieces.push(piece);
      }
      return await work(Buffer.concat(pieces));
    } finally {
      this.#held -= length;
    }
  }
}

/** Yields a body piece by piece, decompressed if it is gzip. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new ViewerError("ERR_VIEWER_REQUEST", "The content encoding must be gzip or absent.");
  const packed = encoding === "gzip";
  try {
    // The request is not destroyed with the loop: its connection carries the response, and then the next request.
    yield* packed ? unpacked(request) : request.iterator({ destroyOnReturn: false });
  } catch {
    throw new ViewerError(
      "ERR_VIEWER_REQUEST",
      packed ? "The body is not complete gzip data." : "The body was cut off.",
    );
  }
}

async function* unpacked(request: IncomingMessage): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // An error of the socket does not reach the gunzip by itself.
  const fail = (error: Error): void => void gunzip.destroy(error);
  request.once("error", fail);
  try {
    yield* request.pipe(gunzip);
  } finally {
    request.off("error", fail);
    request.unpipe(gunzip);
  }
}
