import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "./directory.js";
import { codeOf, isGone } from "./errors.js";

/** Creates a file (mode 0600) with its whole content, durably. Returns false if the file already exists. */
export async function createOnce(path: string, content: string): Promise<boolean> {
  const temporary = temporaryPathFor(path);
  try {
    await writeSynced(temporary, content, "wx", 0o600);
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    // Also removes a file that was cut off by a full disk: the caller will retry.
    await unlink(temporary).catch(() => {});
    await syncDirectory(dirname(path));
  }
}

/**
 * Replaces a file (mode 0600) with its whole content, durably. If several processes do so at once, the last one wins.
 */
export async function replace(path: string, content: string): Promise<void> {
  const temporary = temporaryPathFor(path);
  try {
    await writeSynced(temporary, content, "wx", 0o600);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Writes to a file with the flags and makes the content durable, but not the name. */
export async function writeSynced(path: string, content: string, flags: string, mode?: number): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the content of a file. Returns `undefined` if it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

const temporaryPathFor = (path: string): string => join(dirname(path), `.${randomUUID()}.tmp`);
