import { appendFile, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openLog, type Problem, verify } from "../src/index.js";
import { abandon, linesOf, logFiles, temporaryDirectory, writeLines } from "./support.js";

let dir = "";
let path = "";
let whole: Buffer;
let anchor = "";

/** Commits of two records each, after the opening record, by a process that was killed, or that closed its log. */
async function makeLog({ commits = 4, closed = false, text = "second" } = {}): Promise<void> {
  const log = await openLog({ dir });
  for (let n = 0; n < commits; n++) {
    await Promise.all([log.append({ id: `${n}a`, text: "first" }), log.append({ id: `${n}b`, text })]);
  }
  anchor = log.checkpoint ?? "";
  await (closed ? log.close() : abandon(log, dir));
  path = join(dir, (await logFiles(dir))[0] ?? "");
  whole = await readFile(path);
}

const problemOf = async (options = {}): Promise<Problem | undefined> => (await verify(dir, options)).problems[0];
const changed = async (line: number): Promise<string[]> => {
  const lines = await linesOf(dir);
  return lines.with(line, lines.at(line)?.replace("second", "third!") ?? "");
};
/** The place at which the last checkpoint begins. */
const lastLine = () => whole.lastIndexOf("\n", whole.length - 2) + 1;

beforeEach(async () => {
  dir = await temporaryDirectory();
});

describe("a tail", () => {
  it.each(["", '{"type":"tool"', '{"type":"tool"}\n{"a', '{"a":1}\n"suite-audit/audit', "\u0000\u0000", '{"a\u0000'])(
    "that is %j was written and not acknowledged: that is not tampering",
    async (torn) => {
      await makeLog();
      await appendFile(path, torn);
      expect(await verify(dir)).toMatchObject({ ok: true, size: 9, tail: torn.length, problems: [] });
    },
  );

  it("is what every cut of the last commit leaves, also with zeros in place of what was cut off", async () => {
    await makeLog({ commits: 2 });
    const lastCommit = whole.lastIndexOf('\n"', lastLine() - 2) + 1;
    for (let size = whole.length - 1; size > whole.indexOf("\n", lastCommit); size -= 7) {
      await writeFile(path, Buffer.from(whole).fill(0, size));
      expect(await verify(dir)).toMatchObject({ ok: true, size: 3, problems: [] });
      await truncate(path, size);
      expect(await verify(dir)).toMatchObject({ ok: true, size: 3, problems: [] });
    }
  });

  it("is not caused by an attacker's change to the newline of the last checkpoint or of the record before it", async () => {
    await makeLog();
    for (const at of [whole.length - 1, lastLine() - 1]) {
      await writeFile(path, Buffer.from(whole).fill("x", at, at + 1));
      expect(await verify(dir)).toMatchObject({ ok: false, size: 7 });
    }
  });
});

describe("damage of the last commit", () => {
  it("is in doubt in a file that was not closed: tampering, or a power failure while it was written", async () => {
    await makeLog();
    await writeLines(dir, await changed(-2));
    expect(await problemOf()).toMatchObject({ kind: "record_altered", doubt: true, index: 7 });
    expect((await problemOf())?.message).toContain("power failure");
  });

  it("is in doubt where sectors are missing in the midst of it, and is not before it", async () => {
    await makeLog({ commits: 2, text: "x".repeat(3000) });
    const zeroed = (at: number) => Buffer.from(whole).fill(0, at - (at % 512), at - (at % 512) + 512);
    await writeFile(path, zeroed(whole.length - 1500));
    expect(await problemOf()).toMatchObject({ kind: "record_altered", doubt: true });
    await writeFile(path, zeroed(1500));
    expect(await problemOf()).toMatchObject({ kind: "record_altered" });
    expect(await problemOf()).not.toHaveProperty("doubt");
  });

  it("is beyond doubt in a file that was closed", async () => {
    await makeLog({ closed: true });
    await writeLines(dir, await changed(-3));
    expect(await problemOf()).toMatchObject({ kind: "record_altered", index: 7 });
    expect(await problemOf()).not.toHaveProperty("doubt");
  });

  it("is beyond doubt where an anchor names that commit, and only there", async () => {
    await makeLog();
    await writeLines(dir, await changed(-2));
    expect(await problemOf({ anchor })).toMatchObject({ kind: "record_altered", index: 7 });
    expect(await problemOf({ anchor })).not.toHaveProperty("doubt");
    const older: unknown = JSON.parse((await linesOf(dir)).at(-4) ?? "");
    expect(await problemOf({ anchor: older })).toHaveProperty("doubt", true);
  });

  it("is certain if the next commit began after it", async () => {
    await makeLog();
    await writeLines(dir, await changed(-2));
    await appendFile(path, '{"n"');
    expect(await problemOf()).toMatchObject({ kind: "record_altered", index: 7 });
    expect(await problemOf()).not.toHaveProperty("doubt");
  });

  /** A log whose last checkpoint has all behind its root in one sector, or not, and another signature now. */
  async function otherSignature(oneSector: boolean): Promise<void> {
    for (let length = 1; ; length += 50) {
      dir = await temporaryDirectory();
      await makeLog({ text: "x".repeat(length) });
      const [begin, end] = [whole.lastIndexOf("\\ncommit "), whole.length - 1];
      if ((Math.floor(begin / 512) === Math.floor(end / 512)) === oneSector) break;
    }
    const lines = await linesOf(dir);
    const other = (lines.at(-1) ?? "").replace(/.{8}=\\n"$/, (end) => `AAAAAAAA${end.slice(8)}`);
    await writeLines(dir, lines.with(-1, other));
  }

  it("is beyond doubt where the checkpoint fits its records: then all of it was written", async () => {
    await otherSignature(true);
    expect(await problemOf()).toMatchObject({ kind: "checkpoint_altered" });
    expect(await problemOf()).not.toHaveProperty("doubt");
  });

  it("is in doubt where that lies in two sectors: the second can be of a file that was removed", async () => {
    await otherSignature(false);
    expect(await problemOf()).toMatchObject({ kind: "checkpoint_altered", doubt: true });
  });

  it("stays in doubt where a removed file's checkpoint came to stand in it, which no later file takes for a head", async () => {
    const removed = await openLog({ dir });
    const { file } = await removed.append({ n: 1 });
    await removed.close();
    const stale = (await linesOf(dir, file)).at(-1) ?? "";
    await rm(join(dir, file));
    await makeLog();
    await writeLines(dir, (await linesOf(dir)).with(-1, stale));
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await log.close();
    expect((await verify(dir)).problems).toMatchObject([{ kind: "checkpoint_foreign", doubt: true }]);
    const [, opening = ""] = await Promise.all(
      (await logFiles(dir)).map(async (name) => (await linesOf(dir, name))[0]),
    );
    expect(JSON.parse(opening)).toMatchObject({ heads: [{ size: 7 }] });
  });

  it("stays in doubt when a later file names its checkpoint: that one read no more than the checkpoint", async () => {
    await makeLog();
    const altered = await changed(-2);
    await writeLines(dir, altered);
    const [first] = await logFiles(dir);
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await log.close();
    expect((await verify(dir)).problems).toMatchObject([{ file: first, kind: "record_altered", doubt: true }]);
  });
});

describe("closing a log", () => {
  it("ends its file with a checkpoint of no further record", async () => {
    await makeLog({ closed: true });
    const [before = "", last = ""] = (await linesOf(dir)).slice(-2);
    expect(last.replace(/commit.*/, "")).toBe(before.replace(/commit.*/, ""));
    expect([before, last].map((line) => /commit \d+/.exec(line)?.[0])).toEqual(["commit 4", "commit 5"]);
    expect(await verify(dir)).toMatchObject({ ok: true, records: 9, tail: 0 });
  });

  it("means that nothing follows: what does is a problem, also what would be a tail elsewhere", async () => {
    await makeLog({ closed: true });
    for (const more of ['{"n":1}\n', '{"n"', "\u0000", "x"]) {
      await writeFile(path, Buffer.concat([whole, Buffer.from(more)]));
      expect(await verify(dir)).toMatchObject({ ok: false, size: 9, problems: [{ line: 15 }] });
      expect(await problemOf()).not.toHaveProperty("doubt");
    }
  });

  it("leaves records that are proven where that checkpoint is damaged, or gone", async () => {
    await makeLog({ closed: true });
    const lines = await linesOf(dir);
    await writeLines(dir, lines.with(-1, '"x"'));
    expect(await verify(dir)).toMatchObject({ size: 9, problems: [{ kind: "checkpoint_altered", doubt: true }] });
    await writeLines(dir, lines.slice(0, -1));
    expect(await verify(dir)).toMatchObject({ ok: true, size: 9 });
  });
});
