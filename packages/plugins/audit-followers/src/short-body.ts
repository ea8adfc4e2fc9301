const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads the body of a short response. Returns an empty string if it is longer than 64 KiB, which no expected response
 * is.
 */
export async function shortBodyOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) return "";
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
