import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { checkAudit } from "../src/doctor/audit-log.js";
import { folderWith } from "./support.js";

/** A folder from which this repository's @suite/audit is found, with a log of three records after its opening. */
async function logged(): Promise<string> {
  const dir = folderWith({});
  const log = await openLog({ dir });
  for (const n of [1, 2, 3]) await log.append({ n });
  await log.close();
  return dir;
}

const here = import.meta.dirname;

describe("the audit log", () => {
  it("that is whole is verified by the package that is installed", async () => {
    expect(await checkAudit(here, await logged())).toEqual([
      { subject: "audit log", state: "ok", found: "verified: 4 records in 1 file" },
    ]);
  });

  it("with a changed record is wrong, and the command that locates it is named", async () => {
    const dir = await logged();
    for (const file of readdirSync(dir).filter((name) => name.endsWith(".jsonl")))
      writeFileSync(join(dir, file), readFileSync(join(dir, file), "utf8").replace('"n":2', '"n":9'));
    expect(await checkAudit(here, dir)).toEqual([
      {
        subject: "audit log",
        state: "wrong",
        found: expect.stringContaining("not verified: 1 problem (record_altered)"),
        advice: `npx suite-audit verify ${dir}, which reports the location`,
      },
    ]);
  });

  it("that is none is wrong, with the reason", async () => {
    const [row] = await checkAudit(here, join(folderWith({}), "nowhere"));
    expect(row).toMatchObject({ state: "wrong", found: "It cannot be verified: ERR_AUDIT_NO_LOG." });
  });
});
