import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import { ViewerError } from "../errors.js";

/** The most bytes of a request, compressed or not. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The body of a request, unpacked where it is gzip. Bounded before and after.
 *
 * @throws ViewerError `ERR_VIEWER_REQUEST`
 */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw new ViewerError("ERR_VIEWER_REQUEST", "The content encoding is neither gzip nor none.");
  const source = encoding === "gzip" ? request.pipe(createGunzip()) : request;
  // What the socket has to say when the other side goes away: the gunzip does not hear of it.
  if (source !== request) request.once("error", (error) => (source as ReturnType<typeof createGunzip>).destroy(error));
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of source) {
      length += (piece as Buffer).length;
      if (length > MOST_BYTES) throw new TooLarge();
      pieces.push(piece as Buffer);
    }
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw new ViewerError(
      "ERR_VIEWER_REQUEST",
      encoding === "gzip" ? "The body is no whole gzip." : "The body was cut off.",
    );
  }
  return Buffer.concat(pieces);
}

/** The error of a body that is larger than is taken. */
export class TooLarge extends ViewerError {
  constructor() {
    super("ERR_VIEWER_REQUEST", `The body is larger than ${MOST_BYTES / 1024 / 1024} MiB.`);
  }
}
