import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "./directory.js";
import { codeOf, isGone } from "./errors.js";

/** Writes a file (mode 0600) whole or not at all, durably, and only if there is none. False: there is one. */
export async function createOnce(path: string, content: string): Promise<boolean> {
  const temporary = temporaryBeside(path);
  try {
    await writeSynced(temporary, content, "wx", 0o600);
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    // Also what a full disk has cut: it will be tried again.
    await unlink(temporary).catch(() => {});
    await syncDirectory(dirname(path));
  }
}

/** Puts a file (mode 0600) whole in the place of another, durably. Of several at once the last one stays, whole too. */
export async function replace(path: string, content: string): Promise<void> {
  const temporary = temporaryBeside(path);
  try {
    await writeSynced(temporary, content, "wx", 0o600);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Writes to a file by the flags, and makes it durable; not its name. */
export async function writeSynced(path: string, content: string, flags: string, mode?: number): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The text of a file; undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

const temporaryBeside = (path: string): string => join(dirname(path), `.${randomUUID()}.tmp`);
