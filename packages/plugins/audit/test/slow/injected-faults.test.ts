import { describe, expect } from "@jest/globals";
import { openLog, verify } from "../../src/index.js";
import { commitEnds, provenRecords } from "../durability/proof.js";
import { type Run, run } from "../faults/run.js";
import { traced } from "../faults/strace.js";
import { SyncedDisk } from "../faults/synced-disk.js";
import { logFiles } from "../support.js";

const LONG = process.env.TEST_LONG !== undefined;
/** At the same time: each waits for strace more than it computes. */
const LANES = 4;

/** The faults that a call can have, as strace writes them. */
const faultsOf: Readonly<Record<string, readonly string[]>> = {
  openat: ["error=EMFILE", "error=EIO"],
  write: ["error=EIO", "error=ENOSPC"],
  pwrite64: ["error=EIO", "error=ENOSPC", "error=EINTR"],
  fdatasync: ["error=EIO", "error=EINTR"],
  fsync: ["error=EIO"],
  getdents64: ["error=EIO"],
  pread64: ["error=EIO"],
  statx: ["error=EIO"],
  close: ["error=EIO"],
  unlink: ["error=EIO"],
  unlinkat: ["error=EIO"],
  link: ["error=EIO"],
  linkat: ["error=EIO"],
  mkdir: ["error=EACCES"],
  mkdirat: ["error=EACCES"],
};

/** Each disk call of a run without faults, with each fault that it can have, and a kill in its place. */
function matrix({ dir, calls }: Run): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  const plan: string[][] = [];
  for (const { thread, name, args } of calls) {
    const key = `${thread} ${name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (!args.includes(dir)) continue;
    for (const fault of [...(faultsOf[name] ?? []), "signal=KILL"]) plan.push([`${name}:${fault}:when=${count}`]);
    // What is cut back after a full disk can fail too, or be the last thing that is done.
    if (name === "pwrite64") {
      for (const fault of ["error=EIO", "signal=KILL"]) {
        plan.push([`pwrite64:error=ENOSPC:when=${count}`, `ftruncate:${fault}:when=1`]);
      }
    }
  }
  return plan;
}

/** Chooses the fault in the middle of the run, of each kind: for `npm test`. */
function oneOfEach(plan: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const kindOf = (faults: readonly string[]) => faults.join(" ").replaceAll(/when=\d+/g, "");
  const kinds = [...new Set(plan.map(kindOf))];
  return kinds.flatMap((kind) => {
    const same = plan.filter((faults) => kindOf(faults) === kind);
    return same.slice(Math.floor(same.length / 2)).slice(0, 1);
  });
}

/** Checks the promises that must hold after any run, however it ended. */
async function check({ dir, calls, told }: Run): Promise<number> {
  const acknowledged = told.filter(({ index }) => index !== undefined);
  const disk = new SyncedDisk(calls);
  if (acknowledged.length > 0) {
    const proven = await provenRecords(dir);
    for (const { id, file = "", index = -1, at } of acknowledged) {
      expect({ file, index, id: proven.get(file)?.[index] }).toEqual({ file, index, id });
      const [end] = (await commitEnds(dir, file, proven.get(file)?.length ?? 0)).slice(index);
      // Not only in the cache: a power failure right after the acknowledgement leaves it.
      expect({ id, safe: disk.bytesOf(file, at) >= (end ?? Number.NaN) }).toEqual({ id, safe: true });
    }
  }
  const log = await openLog({ dir });
  await log.append({ id: "next" });
  await log.close();
  expect(await verify(dir)).toMatchObject({ ok: true, problems: [] });
  return acknowledged.length;
}

describe("one fault of the kernel, at any call", () => {
  traced(
    "costs no acknowledged record and makes no false one; the log verifies, and the next start writes on",
    async () => {
      const reference = await run();
      expect(await check(reference)).toBe(9);
      expect((await logFiles(reference.dir)).length).toBeGreaterThan(3);
      const plan = LONG ? matrix(reference) : oneOfEach(matrix(reference));
      let next = 0;
      let acknowledged = 0;
      const failures: string[] = [];
      const lane = async () => {
        for (let faults = plan[next++]; faults; faults = plan[next++]) {
          const outcome = await run(faults);
          try {
            const count = await check(outcome);
            acknowledged += count;
          } catch (error) {
            failures.push(`${faults.join(" ")}: ${(error as Error).message}`);
          }
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(failures).toEqual([]);
      expect(acknowledged).toBeGreaterThan(plan.length);
      if (LONG) console.info(`${plan.length} faults, ${acknowledged} records acknowledged, none lost`);
    },
    600_000,
  );
});
