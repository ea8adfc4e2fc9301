import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isLogFile } from "./format.js";

/** The names of the log files of a directory, oldest first, as far as clocks can be trusted. */
export async function logFileNames(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter(isLogFile).sort();
}

/** One log file, as the directory has it. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  /** The time when it was last written to, in milliseconds since the epoch. */
  readonly changed: number;
}

/** The log files of a directory, oldest name first. */
export async function listLogFiles(dir: string): Promise<ListedFile[]> {
  const sized = await Promise.all(
    (await logFileNames(dir)).map((name) =>
      stat(join(dir, name)).then(
        ({ size, mtimeMs }) => [{ name, bytes: size, changed: mtimeMs }],
        // Retention may have taken it meanwhile.
        () => [],
      ),
    ),
  );
  return sized.flat();
}
