import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Creates a directory (mode 0700) and its missing parents, durably. */
export async function ensureDirectory(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let path = resolve(dir); path !== top; path = dirname(path)) await syncDirectory(dirname(path));
}

/** Makes the names in a directory durable. Windows has no such call. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(dir, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
