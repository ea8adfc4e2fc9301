import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { root } from "../../../../../scripts/workspaces.mjs";
import { logFiles, temporaryDirectory } from "../support.js";

/** Runs a program in a process with 64 MiB of heap, and returns its status and output. */
const inLittleMemory = (program: string) =>
  spawnSync(process.execPath, ["--max-old-space-size=64", "--input-type=module", "-e", program], {
    cwd: join(root, "packages/plugins/audit"),
    encoding: "utf8",
    timeout: 120_000,
  });

/** A closed log of one record, with more lines after its end. */
async function logWith(lines: string): Promise<string> {
  const dir = await temporaryDirectory();
  const log = await openLog({ dir });
  await log.append({ n: 1 });
  await log.close();
  const [file = ""] = await logFiles(dir);
  appendFileSync(join(dir, file), lines);
  return dir;
}

describe("memory for hostile files", () => {
  it("verify holds the bytes of unsigned lines, and no object for each", async () => {
    const dir = await logWith("{}\n".repeat(3_000_000));
    const program = `import { verify } from "@suite/audit"; console.log((await verify(${JSON.stringify(dir)})).ok)`;
    expect(inLittleMemory(program)).toMatchObject({ status: 0, stdout: "false\n" });
  });

  it("verify holds a signed checkpoint that stands there many times once", () => {
    const program = `
      import { Scan } from ${JSON.stringify(join(root, "packages/plugins/audit/dist/verify/scan.js"))};
      import { nodeCryptography } from ${JSON.stringify(join(root, "packages/plugins/audit/dist/signing/node-cryptography.js"))};
      const checkpoint = () => ({ origin: "suite-audit/a.jsonl", size: 7, root: "r".repeat(44), commit: 9 });
      const signatures = { open: async () => ({ status: "signed", checkpoint: checkpoint(), note: { signatures: [1] }, key: {} }) };
      const scan = new Scan("a.jsonl", signatures, nodeCryptography);
      const bytes = new TextEncoder().encode('"' + "x".repeat(300) + '"');
      for (let n = 0; n < 1_000_000; n++) await scan.read({ bytes, offset: 303 * n, complete: true });
      console.log(scan.hasUnproven(7, "r".repeat(44)), scan.hasUnproven(8, "r".repeat(44)));`;
    expect(inLittleMemory(program)).toMatchObject({ status: 0, stdout: "true false\n" });
  });
});
