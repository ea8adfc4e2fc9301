import { appendFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { canonicalJson, openLog, verify } from "../../src/index.js";
import type { Head } from "../../src/log/heads.js";
import { retentionRecord } from "../../src/log/retention-record.js";
import { logFiles, temporaryDirectory } from "../support.js";

// A file that another names is gone. What excuses it?
let dir = "";
let gone: Head = { file: "", size: 0 };
let witness = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
  await append({ n: 1 });
  const { files } = await verify(dir);
  const { file = "", size = 0, root = "" } = files[0] ?? {};
  gone = { file, size, root };
  witness = await append({ n: 2 });
  await unlink(join(dir, file));
});

async function append(record: object): Promise<string> {
  const log = await openLog({ dir });
  const { file } = await log.append(record);
  await log.close();
  return file;
}

const record = (head: Head) => retentionRecord([head], new Date());
const missing = { ok: false, deleted: [], problems: [{ kind: "file_missing" }] };

describe("a file that is gone", () => {
  it("was deleted by retention where a signed record has its head", async () => {
    await append(record(gone));
    expect(await verify(dir)).toMatchObject({ ok: true, deleted: [gone.file] });
  });

  it("is missing where no record has its head", async () => {
    expect(await verify(dir)).toMatchObject(missing);
  });

  it("is reported as missing if its removal is recorded after the last checkpoint, which is not signed yet", async () => {
    await appendFile(join(dir, witness), `${canonicalJson(record(gone))}\n`);
    const { deleted, problems } = await verify(dir);
    expect(deleted).toEqual([]);
    expect(problems).toContainEqual(expect.objectContaining({ kind: "file_missing", file: gone.file }));
  });

  it.each<[string, (head: Head) => Head]>([
    ["another root", (head) => ({ ...head, root: "AAAA" })],
    ["fewer records than it had", (head) => ({ ...head, size: head.size - 1 })],
  ])("is missing where the record has %s", async (_, change) => {
    await append(record(change(gone)));
    expect(await verify(dir)).toMatchObject({ ok: false, problems: [{ kind: "file_missing", file: gone.file }] });
  });

  it("is missing where a record of something else looks like one of retention", async () => {
    await append({ ...record(gone), operation: "execute_tool" });
    await append({ deleted: [null], type: "log", operation: "retain" });
    expect(await verify(dir)).toMatchObject(missing);
  });
});

it("a file that is back is verified as any other, and not said to be deleted", async () => {
  const [file = ""] = await logFiles(dir);
  const head = (await verify(dir)).files.find((each) => each.file === file);
  await append(record({ file, size: head?.size ?? 0, root: head?.root ?? "" }));
  expect((await verify(dir)).deleted).toEqual([]);
});
