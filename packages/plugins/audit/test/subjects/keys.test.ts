import { execFile } from "node:child_process";
import { link, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { fileSubjectKeys, memorySubjectKeys, type SubjectKeys, subjectKid } from "../../src/index.js";
import { RecentKeys } from "../../src/subjects/recent-keys.js";
import { temporaryDirectory } from "../support.js";

const USER = "jane.doe@example.com";

let dir = "";
beforeEach(async () => {
  dir = join(await temporaryDirectory(), "keys");
});
const fresh = (): SubjectKeys => fileSubjectKeys({ dir, recheckMs: 0 });

describe.each<[string, () => SubjectKeys]>([
  ["in memory", memorySubjectKeys],
  ["in files", () => fresh()],
])("keys of subjects %s", (_, make) => {
  it("are 32 bytes, one per subject, and stay", async () => {
    const keys = make();
    const key = await keys.keyOf(USER);
    expect(key).toHaveLength(32);
    expect(await keys.keyOf(USER)).toEqual(key);
    expect(await keys.keyOf("another")).not.toEqual(key);
  });

  it("are found by their id, until they are erased", async () => {
    const keys = make();
    const key = await keys.keyOf(USER);
    const kid = subjectKid(key);
    expect(await keys.find(kid)).toEqual(key);
    expect(await keys.erase(USER)).toBe(kid);
    expect(await keys.find(kid)).toBeUndefined();
    expect(await keys.erase(USER)).toBeUndefined();
  });

  it("are others after an erasure", async () => {
    const keys = make();
    const key = await keys.keyOf(USER);
    await keys.erase(USER);
    expect(await keys.keyOf(USER)).not.toEqual(key);
  });

  it("are not found by what is no id", async () => {
    const keys = make();
    await keys.keyOf(USER);
    expect(await keys.find("../../etc/passwd")).toBeUndefined();
  });
});

describe("a directory of keys", () => {
  it("is read by its owner alone, and names nobody", async () => {
    await fresh().keyOf(USER);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    const names = await readdir(dir);
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
      expect(name + (await readFile(join(dir, name), "utf8"))).not.toContain("jane");
    }
  });

  it("gives a subject one key, however many ask for it first", async () => {
    const stores = Array.from({ length: 20 }, fresh);
    const keys = await Promise.all(stores.map((store) => store.keyOf(USER)));
    expect(new Set(keys.map((key) => subjectKid(key))).size).toBe(1);
    expect(await readdir(dir)).toHaveLength(2);
  });

  it("gives a subject one key, whichever process asks", async () => {
    const fixture = join(import.meta.dirname, "..", "fixtures", "subject-key.mjs");
    const run = () => promisify(execFile)(process.execPath, [fixture, dir, USER]);
    const kids = await Promise.all(Array.from({ length: 4 }, async () => (await run()).stdout.trim()));
    expect(new Set(kids)).toEqual(new Set([subjectKid(await fresh().keyOf(USER))]));
  });

  it("holds nothing of a key that was erased", async () => {
    await fresh().keyOf(USER);
    await fresh().erase(USER);
    expect(await readdir(dir)).toEqual([]);
  });

  it("overwrites a key before it is removed, so that another name of the same file holds nothing", async () => {
    const kid = subjectKid(await fresh().keyOf(USER));
    await link(join(dir, `${kid}.key`), join(dir, "backup"));
    await fresh().erase(USER);
    expect((await readFile(join(dir, "backup"), "utf8")).replaceAll("0", "")).toBe("");
  });

  it("finishes an erasure that was interrupted", async () => {
    const kid = subjectKid(await fresh().keyOf(USER));
    const pointer = (await readdir(dir)).find((name) => name.startsWith("subject-")) ?? "";
    await writeFile(join(dir, `${pointer}.erasing`), `${kid}\n`);
    await rm(join(dir, pointer));
    expect(await fresh().erase(USER)).toBe(kid);
    expect(await readdir(dir)).toEqual([]);
  });

  it("erases both keys where the subject has come back after an interrupted erasure", async () => {
    const old = subjectKid(await fresh().keyOf(USER));
    const pointer = (await readdir(dir)).find((name) => name.startsWith("subject-")) ?? "";
    await writeFile(join(dir, `${pointer}.erasing`), `${old}\n`);
    await rm(join(dir, pointer));
    await fresh().keyOf(USER);
    await fresh().erase(USER);
    expect(await readdir(dir)).toEqual([]);
  });

  it("refuses a file without the key of its name, and does not print its content", async () => {
    const kid = subjectKid(await fresh().keyOf(USER));
    await writeFile(join(dir, `${kid}.key`), "secret");
    const error: unknown = await Promise.resolve(fresh().find(kid)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ERR_AUDIT_INVALID_KEY", message: expect.not.stringContaining("secret") });
  });

  it("is asked again for a key in memory, so that an erasure by another process counts here", async () => {
    const here = fileSubjectKeys({ dir, recheckMs: 20 });
    const key = await here.keyOf(USER);
    await fresh().erase(USER);
    await sleep(30);
    expect(await here.keyOf(USER)).not.toEqual(key);
    expect(await here.find(subjectKid(key))).toBeUndefined();
  });

  it("is not asked again at once: a key in memory is no promise", async () => {
    const keys = fileSubjectKeys({ dir, recheckMs: 60_000 });
    const key = await keys.keyOf(USER);
    expect(keys.keyOf(USER)).toBe(key);
  });

  it("has as many keys in memory as it was told", async () => {
    const keys = fileSubjectKeys({ dir, recheckMs: 60_000, maxCached: 1 });
    await keys.keyOf(USER);
    await keys.keyOf("another");
    expect(keys.keyOf(USER)).toBeInstanceOf(Promise);
  });
});

describe("keys in memory", () => {
  it("are asked for once by all who ask at the same time", async () => {
    let asked = 0;
    const recent = new RecentKeys(async () => ++asked, 60_000, 10);
    expect(await Promise.all([recent.get("a"), recent.get("a")])).toEqual([1, 1]);
    expect(recent.get("a")).toBe(1);
  });

  it("are not those of before an erasure, also where these come late", async () => {
    const answers: ((key: string) => void)[] = [];
    const recent = new RecentKeys(() => new Promise<string>((resolve) => answers.push(resolve)), 60_000, 10);
    const before = recent.get("a");
    recent.forget("a");
    const after = recent.get("a");
    answers[1]?.("new");
    await after;
    answers[0]?.("old");
    await before;
    expect(recent.get("a")).toBe("new");
  });

  it("are asked for again after a failure", async () => {
    let asked = 0;
    const recent = new RecentKeys(
      async () => {
        if (++asked === 1) throw new Error("no key store");
        return "key";
      },
      60_000,
      10,
    );
    await expect(recent.get("a")).rejects.toThrow("no key store");
    expect(await recent.get("a")).toBe("key");
  });
});
