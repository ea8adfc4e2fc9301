import { appendFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { logFiles, temporaryDirectory } from "../../../audit/test/support.js";
import { AuditFollowersError } from "../../src/index.js";
import { Collecting, coveredLines, following, followOnce } from "./collecting.js";

let dir = "";
let target: Collecting;
beforeEach(async () => {
  dir = await temporaryDirectory();
  target = new Collecting();
});

/** A log of its own process, so to say: one file, closed. Gives its name. */
async function write(...records: object[]): Promise<string> {
  const before = await logFiles(dir);
  const log = await openLog({ dir });
  for (const record of records) await log.append(record);
  await log.close();
  return (await logFiles(dir)).find((name) => !before.includes(name)) ?? "";
}

describe("a follower", () => {
  it("delivers each line of each file, as stored and in order, with index and position", async () => {
    const names = [await write({ n: 1 }, { n: 2 }), await write({ n: 3 })];
    await followOnce(dir, target);
    for (const name of names) expect(target.linesOf(name)).toEqual(await coveredLines(dir, name));
    const [batch] = target.batches;
    expect(batch?.lines.slice(0, 5).map(({ kind, index }) => `${kind} ${index}`)).toEqual([
      "record 0",
      "record 1",
      "checkpoint 2",
      "record 2",
      "checkpoint 3",
    ]);
    const bytes = (await readFile(join(dir, names[0] ?? ""))).length;
    expect(batch?.end).toMatchObject({ bytes, records: 3, checkpoint: expect.stringContaining("\n3\n") });
  });

  it("sees a directory, files and records that come while it is there", async () => {
    const place = join(dir, "later");
    const { follower } = following(place, target);
    await follower.caughtUp();
    const log = await openLog({ dir: place, maxFileBytes: 2000 });
    for (let n = 0; n < 10; n++) {
      await log.append({ n, text: "x".repeat(500) });
      await follower.caughtUp();
      expect(target.lines.filter((line) => line.includes(`"n":${n},`))).toHaveLength(1);
    }
    await log.close();
    expect((await logFiles(place)).length).toBeGreaterThan(2);
  });

  it("polls by itself", async () => {
    following(dir, target);
    await write({ n: 1 });
    while (target.batches.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it.each([
    ["whole records", '{"n":8}\n{"n":9}\n'],
    ["a cut record", '{"n":'],
    ["a cut checkpoint", '{"n":8}\n"suite-audit/'],
  ])("keeps back what no checkpoint covers: %s", async (_, tail) => {
    const name = await write({ n: 1 });
    const covered = await coveredLines(dir, name);
    await appendFile(join(dir, name), tail);
    expect(await followOnce(dir, target)).toEqual({ failed: undefined, codes: [] });
    expect(target.lines).toEqual(covered);
  });

  it("goes on beside files that are deleted, and forgets them", async () => {
    const old = await write({ n: 1 });
    const { follower, errors } = following(dir, target);
    await follower.caughtUp();
    await rm(join(dir, old));
    const name = await write({ n: 2 });
    await follower.caughtUp();
    const cursor = JSON.parse(await readFile(join(dir, ".follow-memory.json"), "utf8")) as { files: object };
    expect(Object.keys(cursor.files)).toEqual([name]);
    expect(errors).toEqual([]);
  });

  it("says so where a file is deleted that it had not delivered to the end", async () => {
    const [name, lost] = [await write({ n: 1 }), await write({ n: 2 })];
    target.before = () => rm(join(dir, lost), { force: true });
    const { follower, codes } = following(dir, target);
    await expect(follower.caughtUp()).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_FILE_MISSING" });
    expect([target.lines, codes()]).toEqual([await coveredLines(dir, name), ["ERR_AUDIT_FOLLOWERS_FILE_MISSING"]]);
  });
});

describe("a target that fails", () => {
  it("gets the same batch again, and nothing before or after it", async () => {
    const name = await write(...Array.from({ length: 5 }, (_, n) => ({ n })));
    let failures = 2;
    target.before = () => {
      if (failures-- > 0) throw new Error("down");
    };
    const { codes } = await followOnce(dir, target, { batchBytes: 1 });
    expect(target.linesOf(name)).toEqual(await coveredLines(dir, name));
    expect(codes).toHaveLength(2);
  });

  it("that refuses for good: who waits is told, nothing is left out, and it is not asked again and again", async () => {
    const name = await write({ n: 1 });
    let asked = 0;
    const refusal = new AuditFollowersError("ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED", "no");
    target.before = () => {
      if (asked++ < 2) throw refusal;
    };
    const { follower, codes } = following(dir, target);
    await expect(follower.caughtUp()).rejects.toBe(refusal);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked).toBe(1);
    await expect(follower.caughtUp()).rejects.toBe(refusal);
    await follower.caughtUp();
    expect(target.linesOf(name)).toEqual(await coveredLines(dir, name));
    expect(codes()).toEqual(["ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED", "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED"]);
  });

  it("that hangs holds up neither the log nor `close`", async () => {
    target.before = (_, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { follower } = following(dir, target);
    const log = await openLog({ dir });
    for (let n = 0; n < 50; n++) await log.append({ n });
    await log.close();
    const waiting = follower.caughtUp();
    const closing = follower.close();
    await expect(waiting).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_CLOSED" });
    await closing;
    expect(target).toMatchObject({ batches: [], closed: 1 });
    await expect(follower.caughtUp()).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_CLOSED" });
  });

  it("whose errors are handled by what throws is followed on", async () => {
    const name = await write({ n: 1 });
    let failures = 1;
    target.before = () => {
      if (failures-- > 0) throw new Error("down");
    };
    await followOnce(dir, target, {
      onError: () => {
        throw new Error("handler");
      },
    });
    expect(target.linesOf(name)).toEqual(await coveredLines(dir, name));
  });
});
