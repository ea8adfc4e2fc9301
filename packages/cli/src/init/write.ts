import { randomBytes } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { CliError } from "../errors.js";

/**
 * Replaces an existing file as a whole or not at all, if its content is still the same. @throws CliError `ERR_CLI_FILE`
 */
export async function replaceFile(path: string, was: string, text: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => undefined)) !== was)
    throw new CliError(
      "ERR_CLI_FILE",
      "The file was changed in the meantime and was not written. Run suite init again.",
    );
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, text, { flag: "wx", mode: (await stat(path)).mode });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new CliError("ERR_CLI_FILE", "The file cannot be written. It was not changed.", { cause });
  }
}

/** Writes a new file. An existing file is never overwritten. @throws CliError `ERR_CLI_FILE` */
export async function createFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx" }).catch((cause: unknown) => {
    throw new CliError("ERR_CLI_FILE", "The new file cannot be written, or already exists. No file was changed.", {
      cause,
    });
  });
}
