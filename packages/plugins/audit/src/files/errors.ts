import { constants } from "node:os";

/** The system's code of an error: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  // Node 20 has no name for it: `Unknown system error -122`.
  return errno !== undefined && errno === -constants.errno.EDQUOT ? "EDQUOT" : code;
}

/** Whether an error says that there is no such file: also where another process has just taken it away. */
export const isGone = (error: unknown): boolean => codeOf(error) === "ENOENT";
