import { createHash } from "node:crypto";
import { mkdir, open, readdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ResumeStore } from "../pending/store.js";

/**
 * A store for the processes of one machine: one empty file per claim, made so that only one maker can succeed. The file's
 * time is until when the claim is kept; older files are removed now and then.
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

/** A century in milliseconds: the longest that is kept, since a file's time can tell it. */
const century = 100 * 365.25 * 24 * 60 * 60 * 1000;

async function sweep(dir: string): Promise<void> {
  const now = Date.now();
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    try {
      // A claim is younger than its own time for a moment: a day of grace is more than any such moment.
      if ((await stat(path)).mtimeMs + 24 * 60 * 60 * 1000 < now) await unlink(path);
    } catch {
      // Another process has removed it.
    }
  }
}
