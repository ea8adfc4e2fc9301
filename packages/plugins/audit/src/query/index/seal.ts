import { createHash } from "node:crypto";
import { appendFile, open } from "node:fs/promises";

/** Length of the SHA-256 after the database. SQLite reads whole pages and ignores it. */
const SEAL_BYTES = 32;
const PIECE_BYTES = 1024 * 1024;

/** Appends the digest of a database to it. */
export async function seal(path: string): Promise<void> {
  const { digest } = await read(path, 0);
  await appendFile(path, digest);
}

/** Returns true if a database has not changed since it was sealed. */
export async function isSealed(path: string): Promise<boolean> {
  const { digest, rest } = await read(path, SEAL_BYTES);
  return digest.equals(rest);
}

/** Removes the digest before the database is written to. */
export async function unseal(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    await file.truncate(Math.max(0, size - SEAL_BYTES));
  } finally {
    await file.close();
  }
}

/** Returns the digest of all but the last bytes, and these bytes. */
async function read(path: string, but: number): Promise<{ digest: Buffer; rest: Buffer }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const end = Math.max(0, size - but);
    for (let at = 0; at < end; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, end - at), at);
      if (bytesRead === 0) break;
      hash.update(piece.subarray(0, bytesRead));
      at += bytesRead;
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(but), 0, but, end);
    return { digest: hash.digest(), rest: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}
