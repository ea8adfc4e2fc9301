import { open } from "node:fs/promises";
import type { FileHead } from "../files.js";

/** The number of bytes needed to detect a file's type. */
const headBytes = 4100;

/**
 * Reads the first bytes and the size of a file. Returns `undefined` if it does not exist. Throws if it is not a regular
 * file, such as a device.
 */
export async function readHead(path: string): Promise<FileHead | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("It is not a file.");
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    return { bytes: buffer.subarray(0, bytesRead), size: stats.size };
  } finally {
    await file.close();
  }
}
