import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openLog, verify } from "@suite/audit";
import { verifierKeyOfLog } from "@suite/audit/internal";
import { findGo } from "../../../../../scripts/programs.mjs";
import { temporaryDirectory } from "../../../audit/test/support.js";
import { witnessLog } from "../../src/witnesses.js";

const go = findGo();
if (go === undefined) {
  if (process.env.CI) throw new Error("The tests cannot run: there is no Go.");
  console.error("Tests are skipped: there is no Go to hold heads against golang.org/x/mod/sumdb.");
}
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
});

let program = "";
beforeAll(async () => {
  if (go === undefined) return;
  program = join(await temporaryDirectory(), "witness");
  execFileSync(go, ["build", "-mod=readonly", "-buildvcs=false", "-o", program, "./witness"], {
    // The module of the tests of @suite/audit.
    cwd: join(import.meta.dirname, "../../../audit/test/go"),
    stdio: "pipe",
  });
}, 180_000);

/** A witness of a log: its line for `--witnesses`. */
async function started(verifierKey: string): Promise<string> {
  const child = spawn(program, ["witness.example/go", verifierKey], { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return line.toString();
}

async function written(dir: string): Promise<void> {
  const log = await openLog({ dir });
  await log.append({ n: 1 });
  await log.close();
}

(go === undefined ? describe.skip : describe)("a witness on Go's sumdb", () => {
  it("cosigns each head that goes on from the last, and refuses another history", async () => {
    const dir = await temporaryDirectory();
    await written(dir);
    const witnesses = await started(await verifierKeyOfLog(dir));
    for (let n = 0; n < 9; n++) {
      await written(dir);
      await witnessLog(dir, { witnesses });
    }
    const verdict = await verify(dir, { witnesses: { keys: witnesses } });
    expect(verdict).toMatchObject({ ok: true, attestation: "witness", witnessed: { heads: 9 } });
    await rm(join(dir, "heads"), { recursive: true });
    await expect(witnessLog(dir, { witnesses })).rejects.toMatchObject({
      code: "ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT",
    });
  });

  it("does not know another log", async () => {
    const [dir, other] = [await temporaryDirectory(), await temporaryDirectory()];
    await written(dir);
    await written(other);
    const witnesses = await started(await verifierKeyOfLog(other));
    await expect(witnessLog(dir, { witnesses })).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_WITNESS_FAILED" });
  });
});
