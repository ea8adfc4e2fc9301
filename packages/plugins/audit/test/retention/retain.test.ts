import { rmSync } from "node:fs";
import { readdir, readFile, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog, retain, verify } from "../../src/index.js";
import { logFiles, recordsOf, temporaryDirectory } from "../support.js";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 6, 1);

let dir = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
  jest.useFakeTimers({ now: NOW, doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance"] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A file of a process that ended so many days ago. Gives its name. */
async function fileOf(days: number, records = 3): Promise<string> {
  const before = new Set(await logFiles(dir));
  jest.setSystemTime(NOW - days * DAY);
  const log = await openLog({ dir });
  for (let n = 0; n < records; n++) await log.append({ n, time: new Date().toISOString() });
  await log.close();
  jest.setSystemTime(NOW);
  const name = (await logFiles(dir)).find((file) => !before.has(file)) ?? "";
  await utimes(join(dir, name), new Date(NOW - days * DAY), new Date(NOW - days * DAY));
  return name;
}

describe("retain", () => {
  it("deletes the files whose records are all too old, and verify says that it was retention", async () => {
    const [old, older] = [await fileOf(300), await fileOf(400)].sort();
    const young = await fileOf(100);
    const { deleted, kept } = await retain(dir, { olderThanDays: 200 });
    expect(deleted.map(({ file }) => file).sort()).toEqual([old, older].sort());
    expect(kept).toEqual([]);
    expect(await logFiles(dir)).toEqual([young, expect.anything()]);
    const verdict = await verify(dir);
    expect(verdict).toMatchObject({ ok: true, problems: [] });
    expect([...verdict.deleted].sort()).toEqual([old, older].sort());
  });

  it("has recorded names, sizes and roots of what it deleted", async () => {
    const file = await fileOf(300);
    const [{ root } = { root: "" }] = (await verify(dir)).files;
    await retain(dir, { before: new Date(NOW - 200 * DAY) });
    expect((await recordsOf(dir)).at(-1)).toMatchObject({
      type: "log",
      operation: "retain",
      deleted: [{ file, size: 4, root }],
      until: new Date(NOW - 200 * DAY).toISOString(),
    });
  });

  it("reports a loss if the record of a deletion is removed or names another head", async () => {
    const file = await fileOf(300);
    await fileOf(100);
    await retain(dir, { olderThanDays: 200 });
    const [, newest = ""] = await logFiles(dir);
    const text = await readFile(join(dir, newest), "utf8");
    await writeFile(join(dir, newest), text.replace(/"deleted":\[\{"file":"audit-/, '"deleted":[{"file":"audit_'));
    const { problems, deleted } = await verify(dir);
    expect(problems).toContainEqual(expect.objectContaining({ kind: "file_missing", file }));
    expect(deleted).toEqual([]);
  });

  it("is no excuse for a file that went missing by itself", async () => {
    const missing = await fileOf(300);
    const witness = await fileOf(290);
    await unlink(join(dir, missing));
    await fileOf(280);
    expect((await retain(dir, { olderThanDays: 285 })).kept).toEqual([{ file: witness, why: "damaged" }]);
    expect((await verify(dir)).problems).toMatchObject([{ kind: "file_missing", file: missing }]);
  });

  it("carries on what earlier retentions deleted, when it deletes their records", async () => {
    const first = await fileOf(1000);
    const witness = await fileOf(900);
    jest.setSystemTime(NOW - 700 * DAY);
    await retain(dir, { before: new Date(NOW - 950 * DAY) });
    jest.setSystemTime(NOW);
    const records = (await logFiles(dir)).find((file) => file !== witness) ?? "";
    await utimes(join(dir, records), new Date(NOW - 700 * DAY), new Date(NOW - 700 * DAY));
    await fileOf(10);
    const { deleted } = await retain(dir, { olderThanDays: 600, keep: (file) => file === witness });
    expect(deleted.map(({ file }) => file)).toEqual([records]);
    const verdict = await verify(dir);
    expect(verdict).toMatchObject({ ok: true });
    expect([...verdict.deleted].sort()).toEqual([first, records].sort());
  });

  it("goes by the name and the file system, whichever is later: touching makes nothing older", async () => {
    await fileOf(100);
    const [file = ""] = await logFiles(dir);
    await utimes(join(dir, file), new Date(0), new Date(0));
    expect(await retain(dir, { olderThanDays: 200 })).toEqual({ deleted: [], kept: [] });
    await fileOf(300);
    const [old = ""] = await logFiles(dir);
    await utimes(join(dir, old), new Date(NOW), new Date(NOW));
    expect(await retain(dir, { olderThanDays: 200 })).toEqual({ deleted: [], kept: [] });
  });

  it("keeps damaged files, and files that it is configured to keep", async () => {
    const wanted = await fileOf(301);
    const damaged = await fileOf(300);
    const text = await readFile(join(dir, damaged), "utf8");
    await writeFile(join(dir, damaged), text.replace('"n":1', '"n":7'));
    await utimes(join(dir, damaged), new Date(NOW - 300 * DAY), new Date(NOW - 300 * DAY));
    const { deleted, kept } = await retain(dir, { olderThanDays: 200, keep: (file) => file === wanted });
    expect(deleted).toEqual([]);
    expect(kept).toEqual([
      { file: wanted, why: "wanted" },
      { file: damaged, why: "damaged" },
    ]);
  });

  it("deletes nothing whose record is not durable", async () => {
    const file = await fileOf(300);
    const signer = { ...ed25519Signer(generatePrivateKey()), sign: () => Promise.reject(new Error("no signature")) };
    await expect(retain(dir, { olderThanDays: 200, signer })).rejects.toMatchObject({
      code: "ERR_AUDIT_SIGNING_FAILED",
    });
    expect(await logFiles(dir)).toContain(file);
  });

  it("may run several times at once: each file is deleted, and recorded", async () => {
    const old = [await fileOf(400), await fileOf(300), await fileOf(299), await fileOf(298)];
    const young = await fileOf(100);
    const runs = await Promise.all(Array.from({ length: 4 }, () => retain(dir, { olderThanDays: 200 })));
    expect(runs.flatMap(({ kept }) => kept)).toEqual([]);
    const left = await logFiles(dir);
    expect(left).toContain(young);
    expect(left.filter((file) => old.includes(file))).toEqual([]);
    const verdict = await verify(dir);
    expect(verdict).toMatchObject({ ok: true, problems: [] });
    expect([...verdict.deleted].sort()).toEqual([...old].sort());
  });

  it("looks again where another run takes a file away that it was looking at", async () => {
    const file = await fileOf(300);
    const bytes = await readFile(join(dir, file));
    await retain(dir, { olderThanDays: 200 });
    // As if the other one had recorded it, and not deleted it yet.
    await writeFile(join(dir, file), bytes);
    await utimes(join(dir, file), new Date(NOW - 300 * DAY), new Date(NOW - 300 * DAY));
    const keep = () => {
      rmSync(join(dir, file));
      return false;
    };
    expect(await retain(dir, { olderThanDays: 200, keep })).toEqual({ deleted: [], kept: [] });
    expect(await verify(dir)).toMatchObject({ ok: true, deleted: [file] });
  });

  it("changes nothing in a dry run", async () => {
    const file = await fileOf(300);
    const before = await readdir(dir);
    expect((await retain(dir, { olderThanDays: 200, dryRun: true })).deleted.map((head) => head.file)).toEqual([file]);
    expect(await readdir(dir)).toEqual(before);
  });

  it("refuses to go under six months, or what was set instead, unless it is forced", async () => {
    await fileOf(100);
    await expect(retain(dir, { olderThanDays: 183 })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_OPTION" });
    await expect(retain(dir, { olderThanDays: 399, minimumDays: 400 })).rejects.toThrow("at least 400 days");
    expect((await retain(dir, { olderThanDays: 90, force: true })).deleted).toHaveLength(1);
  });

  it("refuses to go under two days even when it is forced: a process may still write there", async () => {
    await fileOf(1);
    await expect(retain(dir, { olderThanDays: 1, force: true })).rejects.toThrow("may still be written to");
  });
});

describe("a process that writes for a long time", () => {
  it("begins a new file after a day, so that none is written to when it is old", async () => {
    jest.setSystemTime(NOW - 300 * DAY);
    const log = await openLog({ dir });
    const first = await log.append({ n: 1 });
    jest.setSystemTime(NOW - 300 * DAY + DAY - 1);
    expect(await log.append({ n: 2 })).toMatchObject({ file: first.file });
    jest.setSystemTime(NOW - 300 * DAY + DAY);
    expect((await log.append({ n: 3 })).file).not.toBe(first.file);
    await log.close();
    expect(await verify(dir)).toMatchObject({ ok: true });
  });
});
