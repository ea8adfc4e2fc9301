import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import {
  ed25519Signer,
  eraseSubject,
  fileSubjectKeys,
  generatePrivateKey,
  memorySubjectKeys,
  openLog,
  subjectKid,
  verify,
} from "../../src/index.js";
import { run, runHere } from "../cli/run.js";
import { recordsOf, temporaryDirectory } from "../support.js";

describe("an erasure", () => {
  it("is recorded before and after, without its subject", async () => {
    const dir = await temporaryDirectory();
    const keys = memorySubjectKeys();
    const kid = subjectKid(await keys.keyOf("user-jane"));
    const log = await openLog({ dir });
    expect(await eraseSubject("user-jane", keys, log)).toEqual({ kid });
    await log.close();
    const [, intent, outcome] = await recordsOf(dir);
    expect([intent, outcome]).toMatchObject([
      { type: "erasure", stage: "intent", operation: "erase_subject" },
      { type: "erasure", stage: "outcome", details: { kid }, callId: intent?.callId },
    ]);
    expect(JSON.stringify([intent, outcome])).not.toContain("jane");
  });

  it("does not happen where it cannot be recorded", async () => {
    const keys = memorySubjectKeys();
    const key = await keys.keyOf("user-jane");
    const log = { append: () => Promise.reject(new Error("disk is gone")) };
    await expect(eraseSubject("user-jane", keys, log)).rejects.toThrow("disk is gone");
    expect(await keys.find(subjectKid(key))).toEqual(key);
  });
});

describe("suite-audit erase", () => {
  it("deletes the key of a subject that it reads from standard input, and records that", async () => {
    const dir = await temporaryDirectory();
    const keys = await temporaryDirectory();
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await log.close();
    const kid = subjectKid(await fileSubjectKeys({ dir: keys }).keyOf("user-jane"));
    const { code, out, err } = await run(["erase", dir, "--keys", keys, "--subject", "-"], { input: "user-jane\n" });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(kid);
    expect(await readdir(keys)).toEqual([]);
    expect(await verify(dir)).toMatchObject({ ok: true });
    expect((await recordsOf(dir)).at(-1)).toMatchObject({ type: "erasure", details: { kid } });
  });

  it("begins no log where there is none", async () => {
    const keys = await temporaryDirectory();
    const dir = await temporaryDirectory();
    expect(await runHere(["erase", dir, "--keys", keys, "--subject", "x"])).toMatchObject({ code: 2 });
    expect(await readdir(dir)).toEqual([]);
  });

  it("makes no key for a log that is signed by a key from elsewhere, and takes that key", async () => {
    const [keys, dir, elsewhere] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()];
    const privateKey = generatePrivateKey();
    await writeFile(join(elsewhere, "key"), privateKey);
    const log = await openLog({ dir, signer: ed25519Signer(privateKey) });
    await log.append({ n: 1 });
    await log.close();
    await fileSubjectKeys({ dir: keys }).keyOf("x");
    const args = ["erase", dir, "--keys", keys, "--subject", "x"];
    expect(await runHere(args)).toMatchObject({ code: 2, err: expect.stringContaining("--signing-key") });
    expect(await readdir(keys)).toHaveLength(2);
    expect(await runHere([...args, "--signing-key", join(elsewhere, "key")])).toMatchObject({ code: 0 });
    expect(await readdir(dir)).not.toContain("key");
    expect(await verify(dir)).toMatchObject({ ok: true });
  });
});
