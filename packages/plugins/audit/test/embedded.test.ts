import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { verify } from "../src/index.js";
import { recordsOf, temporaryDirectory } from "./support.js";

const fixture = join(import.meta.dirname, "fixtures", "embedded.mjs");

it("audit() without options writes to .suite/audit with a new key that only its owner can read, and reports where", async () => {
  const cwd = await temporaryDirectory();
  const dir = join(cwd, ".suite", "audit");
  const first = await promisify(execFile)(process.execPath, [fixture], { cwd });
  expect(first.stderr).toContain(join(dir, "key"));
  expect((await stat(join(dir, "key"))).mode & 0o777).toBe(0o600);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  expect((await readdir(dir)).sort()).toEqual([expect.stringMatching(/^audit-.*\.jsonl$/), "id", "key", "key.pub"]);
  expect(await recordsOf(dir)).toMatchObject([
    { type: "log" },
    { type: "policy", operation: "start" },
    { type: "tool", stage: "intent", target: { name: "refund" } },
    { type: "tool", stage: "outcome", outcome: { status: "completed" } },
  ]);
  expect(JSON.stringify(await recordsOf(dir))).not.toContain("jane");
  expect(await verify(dir)).toMatchObject({ ok: true, attestation: "self", size: 4 });

  const second = await promisify(execFile)(process.execPath, [fixture], { cwd });
  expect(second.stderr).toBe("");
  expect(await verify(dir)).toMatchObject({ ok: true, size: 8 });
});
