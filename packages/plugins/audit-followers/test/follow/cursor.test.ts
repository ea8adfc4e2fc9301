import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ed25519Signer, openLog } from "@suite/audit";
import { forge } from "../../../audit/test/forge.js";
import { logFiles, temporaryDirectory, writeLines } from "../../../audit/test/support.js";
import { Collecting, coveredLines, following, followOnce } from "./collecting.js";

let dir = "";
let target: Collecting;
beforeEach(async () => {
  dir = await temporaryDirectory();
  target = new Collecting();
});

const cursorFile = () => join(dir, ".follow-memory.json");

async function write(count: number, text = "x"): Promise<string> {
  const log = await openLog({ dir });
  await Promise.all(Array.from({ length: count }, (_, n) => log.append({ n, text })));
  await log.close();
  return (await logFiles(dir)).at(-1) ?? "";
}

describe("the cursor", () => {
  it("lets the next follower begin where the last one ended, in the middle of a commit, too", async () => {
    const name = await write(20);
    target.before = () => {
      if (target.batches.length === 7) throw new Error("down");
    };
    const { follower } = following(dir, target, { batchBytes: 1 });
    while (target.batches.length < 7) await new Promise((resolve) => setTimeout(resolve, 5));
    await follower.close();
    expect(target.lines).toHaveLength(7);

    target.before = () => {};
    await followOnce(dir, target);
    expect(target.lines).toEqual(await coveredLines(dir, name));
    expect(await followOnce(dir, target)).toEqual({ failed: undefined, codes: [] });
    expect(target.lines).toEqual(await coveredLines(dir, name));
  });

  it("is stored after the delivery, and not before", async () => {
    await write(3);
    const known: string[] = [];
    target.before = async () => void known.push(await readFile(cursorFile(), "utf8").catch(() => "none"));
    await followOnce(dir, target, { batchBytes: 1 });
    expect(known[0]).toBe("none");
    for (const [i, text] of known.slice(1).entries())
      expect(text).toContain(`"bytes":${target.batches[i]?.end.bytes},`);
  });

  it("may be kept elsewhere than in the log's directory", async () => {
    await write(1);
    const cursor = join(await temporaryDirectory(), "cursor.json");
    await followOnce(dir, target, { cursor });
    expect(JSON.parse(await readFile(cursor, "utf8"))).toMatchObject({ version: 1 });
    await expect(readFile(cursorFile())).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("of two followers at once is whole, and nothing is left out: each line is sent by one of them, or both", async () => {
    const name = await write(30);
    const targets = [target, new Collecting()];
    const ends = await Promise.all(targets.map((one) => followOnce(dir, one, { batchBytes: 1 })));
    expect(ends).toEqual([
      { failed: undefined, codes: [] },
      { failed: undefined, codes: [] },
    ]);
    const lines = await coveredLines(dir, name);
    expect(new Set(targets.flatMap((one) => one.lines))).toEqual(new Set(lines));
    const after = new Collecting();
    expect(await followOnce(dir, after)).toEqual({ failed: undefined, codes: [] });
    expect(after.lines).toEqual([]);
    expect((await readdir(dir)).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    '{"version":2,"files":{}}',
    '{"version":1,"files":{"a":{"bytes":"1"}}}',
    '{"version":1,"files":{"a":null}}',
  ])("that is none (%j) stops the follower before anything is sent, until it is gone", async (text) => {
    await write(1);
    await writeFile(cursorFile(), text);
    expect(await followOnce(dir, target)).toEqual({
      failed: "ERR_AUDIT_FOLLOWERS_CURSOR",
      codes: ["ERR_AUDIT_FOLLOWERS_CURSOR"],
    });
    expect(target.batches).toEqual([]);
    await rm(cursorFile());
    expect(await followOnce(dir, target)).toMatchObject({ failed: undefined });
  });

  type At = { bytes: number; records: number; checkpoint?: string };
  const changed = async (change: (at: At, size: number) => At) => {
    const { files } = JSON.parse(await readFile(cursorFile(), "utf8")) as { files: Record<string, At> };
    for (const [name, at] of Object.entries(files)) files[name] = change(at, (await stat(join(dir, name))).size);
    await writeFile(cursorFile(), JSON.stringify({ version: 1, files }));
  };
  it.each<[string, (at: At, size: number) => At]>([
    ["is further in bytes", (at, size) => ({ ...at, bytes: size })],
    ["is in the middle of a line", (at) => ({ ...at, bytes: at.bytes - 7 })],
    ["counts other records", (at) => ({ ...at, records: at.records + 1 })],
    ["has no checkpoint", ({ bytes, records }) => ({ bytes, records })],
    ["has another checkpoint", (at) => ({ ...at, checkpoint: at.checkpoint?.replace("commit 1", "commit 2") ?? "" })],
    ["is of another place", (_, size) => ({ bytes: size, records: 0 })],
    ["says that nothing was delivered, and counts records", () => ({ bytes: 0, records: 3 })],
  ])("that %s than any delivery is not believed: the file is delivered from its beginning", async (_, change) => {
    const log = await openLog({ dir });
    await log.append({ n: -1 });
    await Promise.all(Array.from({ length: 20 }, (_, n) => log.append({ n })));
    await log.close();
    const [name = ""] = await logFiles(dir);
    target.before = () => {
      if (target.batches.length === 1) throw new Error("down");
    };
    // The first batch ends amid the second commit.
    const { follower } = following(dir, target, { batchBytes: 1000 });
    while (target.batches.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await follower.close();
    await changed(change);
    const next = new Collecting();
    expect(await followOnce(dir, next)).toEqual({ failed: undefined, codes: ["ERR_AUDIT_FOLLOWERS_CURSOR"] });
    expect(next.lines).toEqual(await coveredLines(dir, name));
    expect(await followOnce(dir, new Collecting())).toEqual({ failed: undefined, codes: [] });
  });

  it("that cannot be written keeps the follower from sending more than one batch", async () => {
    await write(5);
    const cursor = join(dir, "no", "such", "folder");
    expect(await followOnce(dir, target, { cursor, batchBytes: 1 })).toMatchObject({
      failed: "ERR_AUDIT_FOLLOWERS_CURSOR",
    });
    expect(target.batches).toHaveLength(1);
    await mkdir(join(dir, "no", "such"), { recursive: true });
    expect(await followOnce(dir, target, { cursor, batchBytes: 1 })).toMatchObject({ failed: undefined });
  });
});

describe("what was delivered is a witness", () => {
  it("of a file that was cut off afterwards", async () => {
    const name = await write(4);
    await followOnce(dir, target);
    await truncate(join(dir, name), (await stat(join(dir, name))).size - 10);
    expect(await followOnce(dir, target)).toEqual({
      failed: "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED",
      codes: ["ERR_AUDIT_FOLLOWERS_FILE_DAMAGED"],
    });
  });

  it("of a file that another history was put into, by whoever holds the key", async () => {
    const name = await write(4);
    await followOnce(dir, target);
    const sent = target.lines.length;
    const signer = ed25519Signer(await readFile(join(dir, "key"), "utf8"));
    await writeLines(dir, await forge(signer, name, Array(99).fill('{"forged":1}')));
    // On its own there is nothing to find.
    expect(await followOnce(dir, new Collecting(), { cursor: join(dir, "other") })).toMatchObject({ codes: [] });
    expect(await followOnce(dir, target)).toMatchObject({ failed: "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED" });
    expect(target.lines).toHaveLength(sent);
  });
});
