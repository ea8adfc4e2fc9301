import { access } from "node:fs/promises";

/** Returns true if a file or a folder exists at a path. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
