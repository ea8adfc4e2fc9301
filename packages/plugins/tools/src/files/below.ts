import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { ToolsError } from "../errors.js";

/**
 * Returns the real path of a root.
 * @throws {ToolsError} `ERR_TOOLS_ROOT` if there is no such folder
 */
export async function realRoot(root: string): Promise<string> {
  try {
    const real = await realpath(root);
    if ((await lstat(real)).isDirectory()) return real;
  } catch {
    // reported below, without the path
  }
  throw new ToolsError("ERR_TOOLS_ROOT", "The root of fileSearch() is not a readable folder.");
}

/**
 * Splits a path from the model into names below the root, which is `/`. Returns `undefined` if the path leads upwards,
 * or if the system could interpret it differently.
 */
export function namesBelow(path: string): readonly string[] | undefined {
  if (path.length > 4096 || path.startsWith("~") || path.includes("\0")) return undefined;
  const names = path.split(sep === "\\" ? /[/\\]/ : "/").filter((name) => name !== "" && name !== ".");
  const strange = names.some((name) => name === ".." || (sep === "\\" && name.includes(":")));
  return strange ? undefined : names;
}

/** Returns the state of a path below the root. Returns `undefined` if it does not exist or contains a link. */
export async function stateBelow(root: string, path: string): Promise<Stats | undefined> {
  const absolute = join(root, path);
  try {
    const state = await lstat(absolute);
    return (await realpath(absolute)) === absolute ? state : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the text of a file below the root. Returns `undefined` if it is not a plain file, cannot be read, exceeds the
 * size limit, or turns out to be elsewhere after it was opened, even if its folders were replaced meanwhile.
 */
export async function textBelow(
  root: string,
  path: string,
  maxBytes: number,
): Promise<string | "too large" | undefined> {
  const absolute = join(root, path);
  let file: FileHandle | undefined;
  try {
    // Do not block on a pipe without a writer.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    file = await open(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const state = await file.stat();
    if (!state.isFile() || !(await isAt(file, state, absolute))) return undefined;
    if (state.size > maxBytes) return "too large";
    return await read(file, maxBytes);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

async function read(file: FileHandle, maxBytes: number): Promise<string | "too large" | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(64 * 1024));
    if (bytesRead === 0) break;
    total += bytesRead; // a file may grow, and system files may report no size
    if (total > maxBytes) return "too large";
    const chunk = buffer.subarray(0, bytesRead);
    if (chunk.includes(0)) return undefined; // not text
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns true if the open file is the one at this path, and no part of the path is a link. */
async function isAt(file: FileHandle, state: Stats, absolute: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened === absolute;
  if ((await realpath(absolute)) !== absolute) return false;
  const now = await lstat(absolute);
  return now.ino === state.ino && now.dev === state.dev;
}
