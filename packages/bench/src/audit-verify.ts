import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verify } from "@suite/audit";
import { verifyFiles } from "@suite/audit/verify";
import { writeLog } from "./audit-verify-log.js";
import { atMost, defineGroup } from "./group.js";

const RECORDS = 2000;

export const auditVerify = defineGroup({
  name: "audit/verify",
  about:
    `What one record of a log costs to verify: ${RECORDS.toLocaleString("en")} records of 1 KiB, written by 256 writers at once. ` +
    "The yardstick is to read the files and hash them whole, once, with SHA-256 of node:crypto. A nanosecond per record is " +
    "about a millisecond per million; 1,000 ns are about 1,000 MB/s. `verifyFiles` is what a browser runs: it hashes in JavaScript.",
  unit: "record",
  units: RECORDS,
  async open() {
    const dir = await mkdtemp(join(tmpdir(), "bench-audit-"));
    await writeLog(dir, RECORDS, 256);
    const names = await readdir(dir);
    const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(dir, name)) })));
    const proven = async (verdict: ReturnType<typeof verify>): Promise<void> => {
      if (!(await verdict).ok) throw new Error("The log does not verify.");
    };
    return {
      cases: {
        "SHA-256 of the files": async () => {
          for (const name of names)
            createHash("sha256")
              .update(await readFile(join(dir, name)))
              .digest();
        },
        verify: () => proven(verify(dir)),
        verifyFiles: () => proven(verifyFiles(files)),
      },
      close: () => rm(dir, { recursive: true }),
    };
  },
  figures: [
    {
      name: "verify / SHA-256 of the files",
      ratio: (time) => time.verify / time["SHA-256 of the files"],
      aim: atMost(6),
    },
    {
      name: "verifyFiles / SHA-256 of the files",
      ratio: (time) => time.verifyFiles / time["SHA-256 of the files"],
    },
  ],
});
