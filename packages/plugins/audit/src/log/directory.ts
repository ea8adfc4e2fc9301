import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isLogFile } from "./format.js";

/** The names of the log files of a directory, oldest first, as far as clocks can be trusted. */
export async function logFileNames(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter(isLogFile).sort();
}

/** The log files of a directory with their sizes in bytes, oldest name first. */
export async function listLogFiles(dir: string): Promise<{ readonly name: string; readonly bytes: number }[]> {
  const sized = await Promise.all(
    (await logFileNames(dir)).map((name) =>
      stat(join(dir, name)).then(
        ({ size }) => [{ name, bytes: size }],
        // Retention may have taken it meanwhile.
        () => [],
      ),
    ),
  );
  return sized.flat();
}
