import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isLogFile } from "./format.js";

/** Returns the names of the log files of a directory, oldest first, as far as clocks can be trusted. */
export const logFileNames = async (dir: string): Promise<string[]> => (await listLogFiles(dir)).map(({ name }) => name);

/** A log file in a directory. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  /** The time when it was last written to, in milliseconds since the epoch. */
  readonly changed: number;
}

/**
 * Returns the log files of a directory, oldest name first. Pipes, devices and directories with such a name are ignored:
 * opening a pipe would wait for its writer.
 */
export async function listLogFiles(dir: string): Promise<ListedFile[]> {
  const sized = await Promise.all(
    (await readdir(dir))
      .filter(isLogFile)
      .sort()
      .map((name) =>
        stat(join(dir, name)).then(
          (found) => (found.isFile() ? [{ name, bytes: found.size, changed: found.mtimeMs }] : []),
          // Retention may have deleted it in the meantime.
          () => [],
        ),
      ),
  );
  return sized.flat();
}
