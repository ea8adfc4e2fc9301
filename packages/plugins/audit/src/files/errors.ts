import { constants } from "node:os";

/** Returns the system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  // Node 20 has no name for this error: `Unknown system error -122`.
  return errno !== undefined && errno === -constants.errno.EDQUOT ? "EDQUOT" : code;
}

/** Returns true if an error reports a missing file, also one that another process has just removed. */
export const isGone = (error: unknown): boolean => codeOf(error) === "ENOENT";
