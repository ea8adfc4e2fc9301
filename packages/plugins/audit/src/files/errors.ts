/** The system's code of an error: `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** There is no such file: also where another process has just taken it away. */
export const isGone = (error: unknown): boolean => codeOf(error) === "ENOENT";
