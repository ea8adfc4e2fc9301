import { copyFile, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, type Log, openLog, verify } from "../src/index.js";
import { idOf, linesOf, logFiles, temporaryDirectory } from "./support.js";

let dir = "";
let clock = 0;
beforeEach(async () => {
  dir = await temporaryDirectory();
  clock = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, "now").mockImplementation(() => now() + clock);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const signer = ed25519Signer(generatePrivateKey("example.com/support"));
const kindsOf = async (options = {}) => (await verify(dir, options)).problems.map(({ kind, file }) => [kind, file]);

/** Two processes' logs in one directory, the first begun first; both write, and the second one last. */
async function twoWriters(): Promise<{ older: Log; newer: Log; files: readonly string[] }> {
  const older = await openLog({ dir, signer });
  await older.append({ older: 0 });
  const newer = await openLog({ dir, signer });
  await newer.append({ newer: 0 });
  for (let n = 1; n < 5; n++) await older.append({ older: n });
  clock += 60_000;
  await newer.append({ newer: 1 });
  return { older, newer, files: await logFiles(dir) };
}

describe("one recent anchor", () => {
  it("holds what other processes wrote before it, also after they began", async () => {
    const { older, newer } = await twoWriters();
    const anchor = newer.checkpoint ?? "";
    for (const log of [older, newer]) await log.close();
    const { anchored, size } = await verify(dir, { anchor });
    expect([anchored, size]).toEqual([10, 10]); // two openings, five and two records, and one of heads
  });

  it("and any later record of another file show that a file was cut, to whatever commit", async () => {
    const { older, newer, files } = await twoWriters();
    const anchor = newer.checkpoint ?? "";
    for (const log of [older, newer]) await log.close();
    const [file = ""] = files;
    const whole = await readFile(join(dir, file));
    const lines = await linesOf(dir, file);
    for (let end = 1, bytes = 0; end < lines.length - 1; end++) {
      bytes += Buffer.byteLength(lines[end - 1] ?? "") + 1;
      await truncate(join(dir, file), bytes);
      expect(await kindsOf()).toContainEqual(["file_shortened", file]);
      expect(await kindsOf({ anchor })).toContainEqual(["file_shortened", file]);
      await writeFile(join(dir, file), whole);
    }
    await rm(join(dir, file));
    expect(await kindsOf({ anchor })).toContainEqual(["file_missing", file]);
  });

  it("does not hold what other processes wrote after it", async () => {
    const { older, newer, files } = await twoWriters();
    const anchor = newer.checkpoint ?? "";
    const [file = ""] = files;
    const before = await readFile(join(dir, file));
    await older.append({ older: 5 });
    for (const log of [older, newer]) await log.close();
    await writeFile(join(dir, file), before);
    expect(await verify(dir, { anchor })).toMatchObject({ ok: true });
  });
});

describe("a file that was closed", () => {
  const closedFirst = async () => {
    for (let n = 0; n < 2; n++) {
      const log = await openLog({ dir, signer });
      await log.append({ n });
      await log.append({ n: n + 10 });
      await log.close();
    }
    const [file = ""] = await logFiles(dir);
    return { file, lines: await linesOf(dir, file) };
  };
  const write = (file: string, lines: readonly string[]) =>
    writeFile(join(dir, file), lines.map((line) => `${line}\n`).join(""));

  it("is known by later files to have been: its mark cannot be taken away", async () => {
    const { file, lines } = await closedFirst();
    await write(file, lines.slice(0, -1));
    expect(await kindsOf()).toEqual([["file_shortened", file]]);
  });

  it("has no doubt about its last commit, though the mark was taken away with the change", async () => {
    const { file, lines } = await closedFirst();
    await write(file, lines.slice(0, -1).with(-2, '{"n":99}'));
    const { problems } = await verify(dir);
    expect(problems[0]).toMatchObject({ kind: "record_altered", file });
    expect(problems.every(({ doubt }) => doubt === undefined)).toBe(true);
  });
});

describe("a log's identity", () => {
  /** A log of one record in another directory, by the same key. */
  async function another(): Promise<string> {
    const other = await temporaryDirectory();
    const log = await openLog({ dir: other, signer });
    await log.append({ of: "another" });
    await log.close();
    return other;
  }
  const write = async () => {
    const log = await openLog({ dir, signer });
    await log.append({ n: 1 });
    const { checkpoint = "" } = log;
    await log.close();
    return checkpoint;
  };

  it("shows a file of another log that the same key signed, with an anchor and without", async () => {
    await write();
    const anchor = await write();
    const other = await another();
    const [file = ""] = await logFiles(other);
    await copyFile(join(other, file), join(dir, file));
    expect(await kindsOf()).toEqual([["file_foreign", file]]);
    expect(await kindsOf({ anchor })).toEqual([["file_foreign", file]]);
    expect(await kindsOf({ key: await readFile(join(other, "key.pub"), "utf8") })).toEqual([["file_foreign", file]]);
  });

  it("shows a log in the place of another, with an anchor", async () => {
    const anchor = await write();
    for (const file of await logFiles(dir)) await rm(join(dir, file));
    const other = await another();
    for (const file of await logFiles(other)) await copyFile(join(other, file), join(dir, file));
    expect((await kindsOf({ anchor })).map(([kind]) => kind).sort()).toEqual(["file_foreign", "file_missing"]);
  });

  it("is one for all processes, and comes back from the files where it is lost", async () => {
    await write();
    const id = await idOf(dir);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    await rm(join(dir, "id"));
    await write();
    expect(await idOf(dir)).toBe(id);
    expect(await verify(dir)).toMatchObject({ ok: true });
  });

  it("is refused where its file holds something else, and nothing is written", async () => {
    await writeFile(join(dir, "id"), "mine");
    await expect(openLog({ dir, signer })).rejects.toMatchObject({ code: "ERR_AUDIT_WRITE_FAILED" });
    expect(await readFile(join(dir, "id"), "utf8")).toBe("mine");
  });
});
