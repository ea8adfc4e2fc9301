import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isLogFile } from "./format.js";

/** Returns the names of the log files of a directory, oldest first, as far as clocks can be trusted. */
export const logFileNames = async (dir: string): Promise<string[]> => (await listLogFiles(dir)).map(({ name }) => name);

/** One log file, as the directory has it. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  /** The time when it was last written to, in milliseconds since the epoch. */
  readonly changed: number;
}

/**
 * Returns the log files of a directory, oldest name first. A pipe, a device or a directory with such a name is no log file: opening a
 * pipe would wait for its writer.
 */
export async function listLogFiles(dir: string): Promise<ListedFile[]> {
  const sized = await Promise.all(
    (await readdir(dir))
      .filter(isLogFile)
      .sort()
      .map((name) =>
        stat(join(dir, name)).then(
          (found) => (found.isFile() ? [{ name, bytes: found.size, changed: found.mtimeMs }] : []),
          // Retention may have taken it meanwhile.
          () => [],
        ),
      ),
  );
  return sized.flat();
}
