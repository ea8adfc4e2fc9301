const MAX_BODY_BYTES = 64 * 1024;

/** The body of a short response, as text; empty where it is longer than any answer that is expected, 64 KiB. */
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
