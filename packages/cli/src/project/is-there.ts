import { access } from "node:fs/promises";

/** Whether a file or a folder is at a path. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
