import { createHash } from "node:crypto";
import { mkdir, open, readdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ResumeStore } from "../pending/store.js";

/**
 * Creates a store for the processes of one machine. Each claim is an empty file, created exclusively so that only one
 * process succeeds. The file's modification time is the end of the claim. Expired files are removed from time to time.
 *
 * @example
 * ```ts
 * createAgent({ name, model, resume: { keys, store: fileResumeStore("/var/lib/support/resumed") } });
 * ```
 */
export function fileResumeStore(dir: string): ResumeStore {
  let claims = 0;
  return {
    async claim(key, { ttl = century } = {}) {
      await mkdir(dir, { recursive: true });
      if (claims++ % 100 === 0) await sweep(dir);
      const path = join(dir, createHash("sha256").update(key).digest("hex"));
      try {
        await (await open(path, "wx")).close();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw error;
      }
      await utimes(path, new Date(), new Date(Date.now() + ttl));
      return true;
    },
  };
}

/** A century in milliseconds: the maximum duration of a claim, because a file's time cannot be infinite. */
const century = 100 * 365.25 * 24 * 60 * 60 * 1000;

async function sweep(dir: string): Promise<void> {
  const now = Date.now();
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    try {
      // A new file has the current time for a moment before its end is set. A day of grace covers this.
      if ((await stat(path)).mtimeMs + 24 * 60 * 60 * 1000 < now) await unlink(path);
    } catch {
      // Another process has removed it.
    }
  }
}
