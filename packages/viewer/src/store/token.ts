import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { ViewerError } from "../errors.js";

const BYTES = 18;
const isToken = (text: string): boolean => /^[\w-]{24}$/.test(text);

/** Creates a token for the address of the page. */
export const newToken = (): string => randomBytes(BYTES).toString("base64url");

/**
 * Returns the token in a data folder, so that links and bookmarks work after a restart. Creates it if there is none.
 *
 * @throws ViewerError `ERR_VIEWER_DATA` if the folder is not readable or writable
 */
export async function tokenIn(folder: string): Promise<string> {
  try {
    const file = await open(join(folder, "token"), "a+", 0o600);
    try {
      await file.chmod(0o600);
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64), position: 0 });
      const stored = buffer.toString("utf8", 0, bytesRead).trim();
      if (isToken(stored)) return stored;
      const token = newToken();
      await file.truncate(0);
      await file.appendFile(`${token}\n`);
      return token;
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new ViewerError("ERR_VIEWER_DATA", "The token in the folder for data cannot be read or written.", { cause });
  }
}
