import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, it } from "@jest/globals";

const mounted: string[] = [];
afterAll(() => {
  for (const path of mounted.splice(0)) unmount(path);
});

/** A file system of 1 MiB. */
function mount(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "suite-audit-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", path]);
  if (status === 0) return path;
  rmdirSync(path);
  return undefined;
}

function unmount(path: string): void {
  execFileSync("umount", ["-l", path]);
  rmdirSync(path);
}

const first = mount();
if (first !== undefined) unmount(first);
if (first === undefined && process.env.CI) throw new Error("CI cannot mount a tmpfs: full disks are not tested");
if (first === undefined) console.info("A tmpfs cannot be mounted here: the tests with a full disk are left out");

/** A test that needs a small disk. */
export const onSmallDisk = first === undefined ? it.skip : it;

/** A disk of its own for one test. */
export function smallDisk() {
  const path = mount();
  if (path === undefined) throw new Error("A second tmpfs could not be mounted.");
  mounted.push(path);
  const filler = join(path, "filler");
  return {
    dir: join(path, "log"),
    /** Leaves no page free; the last page of a file may still have room. */
    async fill(): Promise<void> {
      const file = await open(filler, "a");
      try {
        for (;;) await file.write(Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler),
  };
}
