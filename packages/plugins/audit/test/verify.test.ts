import { copyFile, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog, type Problem, verify } from "../src/index.js";
import { idOf, linesOf, logFiles, temporaryDirectory, writeLines } from "./support.js";

/** A log of `commits` commits of two records each, after the opening record. */
async function makeLog(dir: string, commits = 4): Promise<string> {
  const log = await openLog({ dir });
  for (let n = 0; n < commits; n++)
    await Promise.all([log.append({ id: `${n}a`, text: "first" }), log.append({ id: `${n}b`, text: "second" })]);
  const { checkpoint = "" } = log;
  await log.close();
  return checkpoint;
}

/** The last digit before the padding has two bits that no decoder looks at. */
const sameBytes = (line: string) =>
  line.replace(/.=\\n"$/, (end) => String.fromCharCode(end.charCodeAt(0) + 1) + end.slice(1));
const signedTwice = (line: string) => line.replace(/(— .*\\n)"$/, '$1$1"');

let dir = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
});
const problemOf = async (options = {}): Promise<Problem | undefined> => (await verify(dir, options)).problems[0];

describe("verify", () => {
  it("proves a healthy log, and states that the proof uses the log's own key", async () => {
    await makeLog(dir);
    expect(await verify(dir)).toMatchObject({
      ok: true,
      attestation: "self",
      size: 9,
      records: 9,
      tail: 0,
      problems: [],
    });
  });

  it("names the changed record if it is alone in its commit", async () => {
    const log = await openLog({ dir });
    for (let n = 0; n < 3; n++) await log.append({ n, text: "paid 10" });
    await log.close();
    const lines = await linesOf(dir);
    await writeLines(
      dir,
      lines.map((line) => line.replace('{"n":1,"text":"paid 10"}', '{"n":1,"text":"paid 99"}')),
    );
    expect(await problemOf()).toMatchObject({ kind: "record_altered", line: 4, index: 2 });
    expect((await verify(dir)).size).toBe(2);
  });

  it.each<[string, (lines: string[]) => string[], Partial<Problem>]>([
    [
      "a changed record",
      (l) => l.with(5, l[5]?.replace("second", "other") ?? ""),
      { kind: "record_altered", line: 5, lastLine: 6 },
    ],
    ["a record that is no JSON", (l) => l.with(5, `${l[5]}x`), { kind: "record_altered", line: 6, index: 4 }],
    ["a removed record", (l) => l.toSpliced(5, 1), { kind: "record_missing", line: 5 }],
    ["an added record", (l) => l.toSpliced(5, 0, "{}"), { kind: "record_inserted", line: 5 }],
    ["a record that stands twice", (l) => l.toSpliced(5, 0, l[5] ?? ""), { kind: "record_repeated", line: 7 }],
    [
      "two records of one commit in another order",
      (l) => l.with(4, l[5] ?? "").with(5, l[4] ?? ""),
      { kind: "record_altered", line: 5, lastLine: 6 },
    ],
    ["a removed checkpoint", (l) => l.toSpliced(6, 1), { kind: "checkpoint_missing", line: 9 }],
    ["a checkpoint that stands twice", (l) => l.toSpliced(6, 0, l[6] ?? ""), { kind: "checkpoint_repeated", line: 8 }],
    [
      "a checkpoint with another size",
      (l) => l.with(6, l[6]?.replace("\\n5\\n", "\\n4\\n") ?? ""),
      { kind: "checkpoint_altered", line: 7 },
    ],
    [
      "a checkpoint written in another way",
      (l) => l.with(6, l[6]?.replace("commit", "\\u0063ommit") ?? ""),
      { kind: "checkpoint_altered", line: 7 },
    ],
    [
      "a signature whose text was changed, and its bytes not",
      (l) => l.with(6, sameBytes(l[6] ?? "")),
      { kind: "checkpoint_altered", line: 7 },
    ],
    ["a second signature", (l) => l.with(6, signedTwice(l[6] ?? "")), { kind: "checkpoint_altered", line: 7 }],
    ["a line that is nothing", (l) => l.toSpliced(5, 0, ""), { kind: "unreadable_line", line: 6 }],
    ["a removed commit", (l) => l.toSpliced(4, 3), { kind: "checkpoint_missing", line: 7 }],
  ])("finds %s, and describes it", async (_name, change, found) => {
    await makeLog(dir);
    await writeLines(dir, change(await linesOf(dir)));
    expect(await problemOf()).toMatchObject({ ...found, file: (await logFiles(dir))[0] });
  });

  it("finds what another key has signed", async () => {
    await makeLog(dir);
    const other = await temporaryDirectory();
    await makeLog(other);
    const key = await readFile(join(other, "key.pub"), "utf8");
    expect(await verify(dir, { key })).toMatchObject({
      ok: false,
      attestation: "key",
      size: 0,
      problems: [{ kind: "unknown_key" }],
    });
  });

  it("finds a file under another name", async () => {
    await makeLog(dir);
    const [file = ""] = await logFiles(dir);
    await rename(join(dir, file), join(dir, "audit-other.jsonl"));
    expect(await problemOf()).toMatchObject({ kind: "checkpoint_foreign", line: 4 });
  });

  it("finds a file that is gone, because a later one names it", async () => {
    await makeLog(dir);
    await makeLog(dir);
    const [first = "", second = ""] = await logFiles(dir);
    await rm(join(dir, first));
    expect(await problemOf()).toMatchObject({ kind: "file_missing", file: first });
    expect((await problemOf())?.message).toContain(second);
  });

  it("finds whole commits cut off at the end of a file that a later one names", async () => {
    await makeLog(dir);
    const [first = ""] = await logFiles(dir);
    await makeLog(dir);
    await writeLines(dir, (await linesOf(dir, first)).slice(0, -4), first);
    expect(await problemOf()).toMatchObject({ kind: "file_shortened", file: first });
  });

  it("does not see whole commits cut off at the end of the last file, unless an anchor says so", async () => {
    const anchor = await makeLog(dir);
    await writeLines(dir, (await linesOf(dir)).slice(0, -4));
    expect(await verify(dir)).toMatchObject({ ok: true, size: 7 });
    expect(await verify(dir, { anchor })).toMatchObject({ ok: false, problems: [{ kind: "file_shortened" }] });
  });

  it("finds another history that the holder of the key has written in place of the anchored one", async () => {
    const signer = ed25519Signer(generatePrivateKey());
    const write = async (where: string, text: string) => {
      const log = await openLog({ dir: where, signer });
      await log.append({ text });
      const { checkpoint = "" } = log;
      await log.close();
      return checkpoint;
    };
    const anchor = await write(dir, "true");
    expect(await verify(dir, { anchor })).toMatchObject({ ok: true, attestation: "anchor", anchored: 2 });
    // The same key, and the same name of the file, by a writer that was told to use it.
    const [file = ""] = await logFiles(dir);
    const lines = await linesOf(dir);
    const { forge } = await import("./forge.js");
    await writeLines(dir, await forge(signer, file, [lines[0] ?? "", '{"text":"false"}'], await idOf(dir)));
    expect(await verify(dir)).toMatchObject({ ok: true });
    expect(await verify(dir, { anchor })).toMatchObject({ ok: false, problems: [{ kind: "file_rewritten", file }] });
  });

  it("counts what an anchor covers through the opening records of later files", async () => {
    await makeLog(dir);
    const anchor = await makeLog(dir);
    await makeLog(dir);
    expect(await verify(dir, { anchor })).toMatchObject({ ok: true, attestation: "anchor", anchored: 18, size: 27 });
  });

  it("refuses an anchor that is none, is of another key, or was changed", async () => {
    const anchor = await makeLog(dir);
    const other = await makeLog(await temporaryDirectory());
    for (const wrong of ["", "hello", other, anchor.replace("\n9\n", "\n8\n")]) {
      await expect(verify(dir, { anchor: wrong })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_ANCHOR" });
    }
  });

  it("reports a missing log or key", async () => {
    await expect(verify(join(dir, "nowhere"))).rejects.toMatchObject({ code: "ERR_AUDIT_NO_LOG" });
    await expect(verify(dir)).rejects.toMatchObject({ code: "ERR_AUDIT_NO_LOG" });
    await makeLog(dir);
    await rm(join(dir, "key.pub"));
    await expect(verify(dir)).rejects.toMatchObject({ code: "ERR_AUDIT_NO_KEY" });
    await expect(verify(dir, { key: "no key" })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_KEY" });
  });

  it("reads the same from any directory it was copied to", async () => {
    await makeLog(dir);
    const copy = await temporaryDirectory();
    for (const name of await readdir(dir)) await copyFile(join(dir, name), join(copy, name));
    expect(await verify(copy)).toEqual(await verify(dir));
  });
});
