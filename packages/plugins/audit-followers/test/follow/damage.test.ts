import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { logFiles, temporaryDirectory } from "../../../audit/test/support.js";
import { Collecting, coveredLines, following, followOnce } from "./collecting.js";

let dir = "";
let target: Collecting;
beforeEach(async () => {
  dir = await temporaryDirectory();
  target = new Collecting();
});

async function write(count: number, text = "x"): Promise<string> {
  const log = await openLog({ dir });
  await log.append({ first: true });
  await Promise.all(Array.from({ length: count }, (_, n) => log.append({ n, text })));
  await log.close();
  return (await logFiles(dir)).at(-1) ?? "";
}

describe("a file that is not what its checkpoints say", () => {
  it.each<[string, (line: string) => string]>([
    ["a record was changed", (line) => line.replace('"n":2', '"n":7')],
    ["a line is neither", (line) => (line.includes('"n":2') ? "what" : line)],
    [
      "a checkpoint is another's",
      (line) => line.replace(/^("suite-audit\/[0-9a-f]+\/)audit-(.*\\n6\\n)/, "$1other-$2"),
    ],
  ])("is not sent on, where %s; the others are", async (_, change) => {
    const name = await write(4);
    const path = join(dir, name);
    const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
    await writeFile(path, lines.map((line) => `${change(line)}\n`).join(""));
    await new Promise((resolve) => setTimeout(resolve, 2));
    const other = await write(1);
    const { follower, codes } = following(dir, target);
    for (let asked = 0; asked < 3; asked++)
      await expect(follower.caughtUp()).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED" });
    expect(target.linesOf(other)).toEqual(await coveredLines(dir, other));
    // The opening record, the first one, and their checkpoint.
    expect(target.linesOf(name)).toEqual(lines.slice(0, 3).map(change));
    // Once, though it was looked at three times.
    expect(codes()).toEqual(["ERR_AUDIT_FOLLOWERS_FILE_DAMAGED"]);
  });

  it("is sent up to there, once, where it was damaged after a part was sent", async () => {
    const name = await write(4);
    const covered = await coveredLines(dir, name);
    const { follower } = following(dir, target);
    await follower.caughtUp();
    await appendFile(join(dir, name), "what\n");
    await expect(follower.caughtUp()).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED" });
    expect(target.lines).toEqual(covered);
  });

  it.each([
    ["at once", (n: number) => `{"n":${n}}\n`],
    ["beyond what one commit can hold", (n: number) => `{"n":${n},"text":"${"x".repeat(60_000)}"}\n`],
  ])("is not kept in memory where nothing in it is signed, %s", async (_, record) => {
    const name = await write(1);
    await appendFile(join(dir, name), Array.from({ length: 80 }, (_, n) => record(n)).join(""));
    const { failed } = await followOnce(dir, target);
    expect(failed).toBe(record(1).length > 100 ? "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED" : undefined);
  });
});

describe("a batch that was cut back, and another in its place", () => {
  /** A file whose last commit is to come: before it, something else of that length stands there. */
  async function unfinished(text: string, junk: (length: number) => string) {
    const name = await write(8, text);
    const path = join(dir, name);
    const whole = await readFile(path, "utf8");
    const first = (await coveredLines(dir, name)).slice(0, 3).join("\n").length + 1;
    await writeFile(path, whole.slice(0, first) + junk(Buffer.byteLength(whole.slice(first))));
    return { name, finish: () => writeFile(path, whole) };
  }

  it("of the same length is seen", async () => {
    const { name, finish } = await unfinished("x", (length) => `{"cut":"${"y".repeat(length - 8)}`);
    const { follower, errors } = following(dir, target);
    await follower.caughtUp();
    expect(target.lines).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await finish();
    await follower.caughtUp();
    expect({ lines: target.lines, errors }).toEqual({ lines: await coveredLines(dir, name), errors: [] });
  });

  it("while the file is read, is no damage", async () => {
    const line = `{"cut":"${"y".repeat(50_000)}"}\n`;
    const { name, finish } = await unfinished("x".repeat(60_000), (length) => line.repeat(20).slice(0, length));
    target.before = () => (target.batches.length === 0 ? finish() : undefined);
    const { follower, errors } = following(dir, target, { batchBytes: 1 });
    await follower.caughtUp();
    expect({ lines: target.lines, errors }).toEqual({ lines: await coveredLines(dir, name), errors: [] });
  });
});
