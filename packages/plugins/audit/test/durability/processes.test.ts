import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { runs } from "../../../../../scripts/runs.mjs";
import { openLog } from "../../src/index.js";
import { logFiles, temporaryDirectory } from "../support.js";
import { fixture, provenIds, provenRecords } from "./proof.js";

/** Runs `writer.mjs` to its end; the ids that it had acknowledged. */
async function write(dir: string, writers: number, records: number, node: string[] = [], env: object = {}) {
  const args = [...node, fixture("writer.mjs"), dir, String(writers), String(records)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim().split("\n");
}

/** The keys of a directory: one line in `key`, and each public key once or, from two at the same moment, twice. */
async function keysOf(dir: string) {
  const lines = (await readFile(join(dir, "key.pub"), "utf8")).trim().split("\n");
  return { names: (await readdir(dir)).filter((name) => !name.endsWith(".jsonl")).sort(), distinct: new Set(lines) };
}

describe("processes that share a directory", () => {
  it("write side by side, eight at once, each in files of its own, and all is proven", async () => {
    const dir = await temporaryDirectory();
    const records = runs(50);
    const ids = (await Promise.all(Array.from({ length: 8 }, () => write(dir, 4, records)))).flat();
    const proven = await provenIds(dir);
    expect(ids).toHaveLength(8 * 4 * records);
    expect(ids.filter((id) => !proven.has(id))).toEqual([]);
  }, 120_000);

  it("make one key when they begin at the same moment, and leave nothing else behind", async () => {
    for (let time = 0; time < runs(5); time++) {
      const dir = await temporaryDirectory();
      const notices: string[] = [];
      const open = () => openLog({ dir, onNotice: (text) => notices.push(text) });
      const logs = await Promise.all(Array.from({ length: 8 }, open));
      expect(notices).toEqual([expect.stringContaining("A signing key was created")]);
      await Promise.all(logs.map((log, n) => log.append({ id: n })));
      await Promise.all(logs.map((log) => log.close()));
      // Each file has an opening record, too.
      expect((await provenIds(dir)).size).toBe(8 + 8);
      const { names, distinct } = await keysOf(dir);
      expect({ names, keys: distinct.size }).toEqual({ names: ["id", "key", "key.pub"], keys: 1 });
    }
  }, 120_000);
});

describe("a clock that jumps a day forth and back, within processes and between them", () => {
  it("changes nothing: all is proven, the files of a process stand in order, the records in them by index", async () => {
    const dir = await temporaryDirectory();
    const clock = ["--import", pathToFileURL(fixture("clock.mjs")).href];
    const run = (days: string) => write(dir, 4, 100, clock, { DAYS: days, MAX_FILE_BYTES: "20000" });
    const ids: string[] = [];
    for (const days of ["0", "1", "-1"]) ids.push(...(await run(days)));
    ids.push(...(await Promise.all(["1", "0", "-1"].map(run))).flat());
    const proven = await provenRecords(dir);
    const inOrder = (await logFiles(dir)).flatMap((file) => proven.get(file) ?? []).map(String);
    for (const writer of new Set(ids.map((id) => id.slice(0, id.lastIndexOf("-") + 1)))) {
      const numbers = inOrder.filter((id) => id.startsWith(writer)).map((id) => Number(id.slice(writer.length)));
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n));
    }
    expect(ids).toHaveLength(6 * 4 * 100);
    expect((await logFiles(dir)).length).toBeGreaterThan(6 * 2);
  }, 120_000);
});
