import { mkdir, readFile, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { type Log, openLog, verify } from "../../src/index.js";
import { linesOf, logFiles, temporaryDirectory } from "../support.js";

afterEach(() => {
  jest.restoreAllMocks();
});

/** A log with one acknowledged record, long enough ago that its file is looked for again: more than a second. */
async function opened(): Promise<{ readonly dir: string; readonly log: Log; readonly file: string }> {
  const dir = join(await temporaryDirectory(), "log");
  const log = await openLog({ dir });
  const { file } = await log.append({ n: 0 });
  const now = performance.now();
  jest.spyOn(performance, "now").mockReturnValue(now + 1100);
  return { dir, log, file };
}

const taken = { code: "ERR_AUDIT_WRITE_FAILED", message: expect.stringContaining("from outside, with 2 acknowledged") };

describe("a log whose file is taken away while it is written", () => {
  it.each([
    ["removed", (path: string) => rm(path)],
    ["moved", (path: string) => rename(path, `${path}.1`)],
    ["emptied", (path: string) => truncate(path, 0)],
  ])("acknowledges nothing into a file that was %s, goes on in a new one, and the loss is found", async (_, take) => {
    const { dir, log, file } = await opened();
    await take(join(dir, file));
    await expect(log.append({ n: 1 })).rejects.toMatchObject(taken);
    const next = await log.append({ n: 2 });
    await log.close();
    const [opening = ""] = await linesOf(dir, next.file);
    expect(JSON.parse(opening)).toMatchObject({ heads: [{ file, size: 2 }] });
    expect((await verify(dir)).problems.map((problem) => problem.file)).toContain(file);
  });

  it("makes the directory again, with its public key, when all of it was removed", async () => {
    const { dir, log } = await opened();
    await rm(dir, { recursive: true });
    await expect(log.append({ n: 1 })).rejects.toMatchObject(taken);
    await log.append({ n: 2 });
    await log.close();
    const { problems, records } = await verify(dir);
    expect({ kinds: problems.map(({ kind }) => kind), records }).toEqual({ kinds: ["file_missing"], records: 2 });
  });

  it("continues in a new directory after its directory was moved away", async () => {
    const { dir, log } = await opened();
    await rename(dir, `${dir}-old`);
    await mkdir(dir);
    await expect(log.append({ n: 1 })).rejects.toMatchObject(taken);
    await log.append({ n: 2 });
    await log.close();
    expect(await verify(`${dir}-old`)).toMatchObject({ ok: true, records: 2 });
  });
});

describe("a public key file", () => {
  it("is written again behind a line that a full disk has cut", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    await log.append({ n: 0 });
    await log.close();
    const path = join(dir, "key.pub");
    await truncate(path, 40);
    const again = await openLog({ dir });
    await again.append({ n: 1 });
    await again.close();
    expect((await readFile(path, "utf8")).split("\n").map(({ length }) => length)).toEqual([40, expect.any(Number), 0]);
    expect(await logFiles(dir)).toHaveLength(2);
    expect(await verify(dir)).toMatchObject({ ok: true, records: 4 });
  });
});
