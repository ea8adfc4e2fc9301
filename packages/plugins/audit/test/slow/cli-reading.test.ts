import { spawn } from "node:child_process";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog } from "../../src/index.js";
import { queryLog } from "../../src/query/index/query.js";
import { selectedRecords } from "../../src/query/selected.js";
import { hashedValue } from "../../src/record/hashed.js";
import { valueKey } from "../../src/record/value-key.js";
import { cli, run, runHere } from "../cli/run.js";
import { forge } from "../forge.js";
import { abandon, linesOf, logFiles, temporaryDirectory } from "../support.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const HOSTILE = "\u009b31m\u202e";
let [dir, cache, scratch, file, anchor] = ["", "", "", "", ""];

beforeAll(async () => {
  [dir, cache, scratch] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()];
  const log = await openLog({ dir });
  const base = { version: 1, stage: "outcome", operation: "execute_tool", runId: "run-1" };
  const hashed = hashedValue(valueKey(SECRET), "jane@example.com");
  await log.append({ ...base, id: "r-1", time: "2026-01-01T00:00:00.000Z", type: "tool", content: { to: hashed } });
  await writeFile(join(scratch, "anchor"), log.checkpoint ?? "");
  await log.append({ ...base, id: "r-2", time: "2026-01-02T00:00:00.000Z", type: "tool", target: { name: HOSTILE } });
  await log.append({ ...base, id: "r-3", time: "2026-01-03T00:00:00.000Z", type: "model", decision: "=HYPERLINK()" });
  await log.close();
  file = (await logFiles(dir))[0] ?? "";
  anchor = join(scratch, "anchor");
  await writeFile(join(scratch, "value-key"), SECRET);
});

describe("suite-audit query", () => {
  it("prints the requested records, newest first, without terminal control characters", async () => {
    const { code, out } = await run(["query", dir, "--type", "tool"], { cache });
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.slice(0, 10))).toEqual(["2026-01-02", "2026-01-01", ""]);
    expect(out).toContain(`${file}#1`);
    expect(out).toContain("\\u009b31m\\u202e");
    expect(out).not.toMatch(/[\u009b\u202e]/);
  });

  it("finds a value by its hash, and takes it from standard input", async () => {
    const args = ["query", dir, "--value", "-", "--value-key", join(scratch, "value-key"), "--json"];
    const { code, out } = await run(args, { cache, input: "Jane@Example.com\n" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ file, index: 1, record: { id: "r-1" } });
  });

  it("says when there is nothing", async () => {
    expect(await run(["query", dir, "--run", "none"], { cache })).toMatchObject({
      out: "",
      err: "No record was found. The log has no match for --run.\n",
    });
  });

  it("says when there is more", async () => {
    const { out, err } = await run(["query", dir, "--limit", "1", "--csv"], { cache });
    expect(out.split("\r\n")).toHaveLength(3);
    expect(err).toContain("There are more records. These are the newest 1.");
  });
});

describe("suite-audit prove, and check-proof", () => {
  it("show that a record is in the log to whoever has the key, and not the log", async () => {
    const path = join(scratch, "r-2.tlog-proof");
    expect(await run(["prove", dir, "--id", "r-2", "--out", path])).toMatchObject({ code: 0, out: "", err: "" });
    const { code, out } = await run(["check-proof", path, "--key", join(dir, "key.pub")]);
    expect(code).toBe(0);
    const [first, record = "{}"] = out.split("\n");
    expect(first).toMatch(/^proven: record 2 of \d+ in audit-/);
    expect(JSON.parse(record)).toMatchObject({ id: "r-2", target: { name: HOSTILE } });
    expect(out).not.toMatch(/[\u009b\u202e]/);
  });

  it("show that the log begins with what an anchor holds", async () => {
    const path = join(scratch, "consistency");
    expect(await run(["prove", dir, "--consistency", anchor, "--out", path])).toMatchObject({ code: 0 });
    const { code, out } = await run(["check-proof", path, "--key", join(dir, "key.pub"), "--anchor", anchor]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^proven: the first 2 records are those/) });
  });

  it("end with 1 for a proof that does not hold, and with 2 for a record that cannot be proven", async () => {
    const path = join(scratch, "wrong");
    const { out: proof } = await run(["prove", dir, "--file", file, "--index", "1"]);
    await writeFile(path, proof.replace("index 1", "index 2"));
    expect(await run(["check-proof", path, "--key", join(dir, "key.pub")])).toMatchObject({
      code: 1,
      out: "NOT PROVEN: its hashes do not match the signed root.\n",
    });
    expect(await run(["prove", dir, "--id", "nobody"])).toMatchObject({ code: 2, out: "" });
  });
});

describe("suite-audit export", () => {
  it("gives the records as they are stored", async () => {
    const { code, out } = await run(["export", dir, "--jsonl"]);
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, -1)).toEqual((await linesOf(dir)).filter((line) => line.startsWith("{")));
  });

  it("takes filters, writes a new file, and never over one", async () => {
    const args = ["export", dir, "--csv", "--type", "model", "--out", join(scratch, "x.csv")];
    expect(await run(args)).toMatchObject({ code: 0, out: "" });
    const lines = (await readFile(join(scratch, "x.csv"), "utf8")).split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(",'=HYPERLINK(),");
    expect(await run(args)).toMatchObject({ code: 2 });
  });

  it("writes events, and trees", async () => {
    const { out } = await run(["export", dir, "--ocsf", "--until", "2026-01-01T12:00"]);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual([expect.objectContaining({ class_uid: 6003, activity_name: "execute_tool" })]);
    expect(await run(["export", dir, "--tlog", "--out", join(scratch, "tlog")])).toMatchObject({ code: 0 });
    const [folder = ""] = await readdir(join(scratch, "tlog"));
    expect((await readdir(join(scratch, "tlog", folder))).sort()).toEqual(["checkpoint", "key.pub", "tile"]);
  });
});

describe("suite-audit tail", () => {
  it("goes on with what is appended, also to a file that begins meanwhile", async () => {
    const log = await temporaryDirectory();
    const write = async (n: number) => {
      const opened = await openLog({ dir: log });
      await opened.append({ n });
      await opened.close();
    };
    await write(1);
    const child = spawn(process.execPath, [cli, "tail", log, "--follow", "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const seen: number[] = [];
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        const { n } = JSON.parse(line) as { n?: number };
        if (n !== undefined) seen.push(n);
        if (n === 1) await write(2);
        if (n === 2) break;
      }
    } finally {
      child.kill();
    }
    expect(seen).toEqual([1, 2]);
  });
});

describe("records that somebody adds behind the last checkpoint", () => {
  const forged = (content = "") =>
    JSON.stringify({ content, id: "f-1", time: "2026-02-01T00:00:00.000Z", type: "tool", version: 1 });
  /** A log that was not closed, with this behind what it has. */
  async function added(what: (file: string, lines: readonly string[]) => Promise<string> | string): Promise<string> {
    const log = await temporaryDirectory();
    const opened = await openLog({ dir: log });
    await opened.append({ id: "r-1", type: "tool", time: "2026-01-01T00:00:00.000Z" });
    await abandon(opened, log);
    const [name = ""] = await logFiles(log);
    await appendFile(join(log, name), await what(name, await linesOf(log)));
    return log;
  }
  const underAnotherKey = async (name: string, lines: readonly string[]) => {
    const records = [...lines.filter((line) => line.startsWith("{")), forged()];
    const all = await forge(ed25519Signer(generatePrivateKey()), name, records);
    return `${all.slice(-2).join("\n")}\n`;
  };

  it.each([
    ["as a line", () => `${forged()}\n`],
    ["under a checkpoint by another key", underAnotherKey],
    ["as more than a commit can hold", () => `${forged("x".repeat(60_000))}\n`.repeat(80)],
  ])("%s are known for what they are, whoever reads", async (_, what) => {
    const log = await added(what);
    process.env.XDG_CACHE_HOME = cache;
    for (const records of [selectedRecords(log, { type: "tool" }), queryLog(log, { type: "tool" })]) {
      const seen = new Set<string>();
      for await (const { record, unproven = false } of records) seen.add(`${record.id} ${unproven}`);
      expect([...seen].sort()).toEqual(["f-1 true", "r-1 false"]);
    }
  });

  it("are left out and counted, or marked", async () => {
    const log = await added(() => `${forged()}\n`);
    for (const args of [
      ["query", log, "--json"],
      ["export", log, "--jsonl"],
    ]) {
      const { code, out, err } = await run(args, { cache });
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("r-1") });
      expect(out).not.toContain('"f-1"');
      expect(err).toMatch(/^Left out: 1 record stands after the last signed checkpoint of a file\./);
    }
    expect((await run(["tail", log, "--json"])).out).not.toContain('"f-1"');
    expect((await run(["tail", log, "--unproven"])).out).toMatch(/\nUNPROVEN {2}2026-02-01/);
    const { out } = await run(["query", log, "--json", "--unproven", "--type", "tool"], { cache });
    expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ unproven: true, record: { id: "f-1" } });
  });

  it("are named by verify, which does not say who wrote them", async () => {
    const { code, out } = await runHere(["verify", await added(() => `${forged()}\n`)]);
    expect(code).toBe(0);
    expect(out).toMatch(/\d+ bytes after the last checkpoint are unproven and ignored/);
  });
});

describe("what cannot be asked", () => {
  it.each([
    [["query", "/no/such/place"]],
    [["query", import.meta.dirname]],
    [["query", ".", "--since", "yesterday"]],
    [["query", ".", "--value", "a-secret"]],
    [["query", ".", "--json", "--csv"]],
    [["query", ".", "--unproven", "--csv"]],
    [["export", "."]],
    [["export", ".", "--tlog", "--out", "x", "--type", "tool"]],
    [["prove", ".", "--id", "a-secret", "--index", "1"]],
    [["check-proof", "x"]],
  ])("is refused with 2 and no value: %j", async (args) => {
    const { code, out, err } = await runHere(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toMatch(/a-secret|yesterday|at .*:\d+:\d+/);
  });
});
