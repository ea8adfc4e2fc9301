import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import sqlite from "node-sqlite3-wasm";
import { runs } from "../../../../../scripts/runs.mjs";
import { openLog } from "../../src/index.js";
import type { RecordFilter } from "../../src/query/filter.js";
import { queryLog } from "../../src/query/index/query.js";
import { unseal } from "../../src/query/index/seal.js";
import { selectedRecords } from "../../src/query/selected.js";
import { logFiles, temporaryDirectory } from "../support.js";

const hash = (n: number) => `hmac-sha256:0123abcd:${String(n).padStart(64, "0")}`;
const pick = <T>(choices: readonly T[], n: number) => choices[n % choices.length] as T;
const START = Date.parse("2026-01-01T00:00:00Z");

const sample = (n: number) => ({
  time: new Date(START + ((n * 7919) % 40) * 1000).toISOString(),
  type: pick(["tool", "model", "guardrail"], n),
  operation: pick(["execute_tool", "chat"], n),
  runId: `run-${n % 5}`,
  actor: { agent: pick(["support", "sales"], n), agentId: `a-${n % 3}`, onBehalfOf: `u-${n % 4}` },
  ...(n % 3 === 2 && { decision: pick(["allow", "deny"], n) }),
  content: { n, deep: [{ to: n % 4 === 0 ? hash(n % 8) : "x" }] },
});

let dir = "";
let cache = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
  cache = await temporaryDirectory();
  process.env.XDG_CACHE_HOME = cache;
});

async function write(from: number, to: number, size = 0): Promise<void> {
  const log = await openLog({ dir });
  const ns = Array.from({ length: to - from }, (_, i) => from + i);
  await Promise.all(ns.map((n) => log.append({ ...sample(n), details: { pad: "x".repeat(size) } })));
  await log.close();
}

/** The records that are found, as "n of content", newest first. */
async function ask(filter: RecordFilter = {}): Promise<number[]> {
  const found: number[] = [];
  for await (const { record } of queryLog(dir, filter)) {
    const content = record.content as { n: number } | undefined;
    if (content) found.push(content.n);
  }
  return found;
}

/** The records that are found without an index. */
async function expected(filter: RecordFilter): Promise<number[]> {
  const found: number[] = [];
  for await (const { record } of selectedRecords(dir, filter)) {
    const content = record.content as { n: number } | undefined;
    if (content) found.push(content.n);
  }
  return found;
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const published = async () => join(cache, "suite-audit", (await readdir(join(cache, "suite-audit")))[0] ?? "", "v2.db");

/** Changes the published index, behind the back of whoever published it; with a digest that fits, if that is asked for. */
async function change(sql: string, withDigest = false): Promise<void> {
  const path = await published();
  await unseal(path);
  const database = new sqlite.Database(path);
  database.exec(sql);
  database.close();
  const bytes = await readFile(path);
  const digest = createHash("sha256").update(bytes).digest();
  await writeFile(path, Buffer.concat([bytes, withDigest ? digest : digest.fill(1)]));
}

const filters: fc.Arbitrary<RecordFilter> = fc.record(
  {
    since: fc.integer({ min: -1, max: 41 }).map((s) => START + s * 1000),
    until: fc.integer({ min: -1, max: 41 }).map((s) => START + s * 1000),
    run: fc.constantFrom("run-0", "run-3", "nobody"),
    actor: fc.constantFrom("support", "a-1", "u-3", "nobody"),
    type: fc.constantFrom("tool", "guardrail", "nothing"),
    operation: fc.constantFrom("chat", "execute_tool"),
    decision: fc.constantFrom("allow", "deny"),
    values: fc.constantFrom([hash(0)], [hash(4), hash(0)], [hash(3)]),
  },
  { requiredKeys: [] },
);

describe("a query", () => {
  it("finds by the index what is found without it, whatever is asked, newest first", async () => {
    await write(0, 60);
    await write(60, 90);
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const times: number[] = [];
        const found: number[] = [];
        for await (const { record, summary } of queryLog(dir, filter)) {
          if (record.content === undefined) continue;
          found.push((record.content as { n: number }).n);
          times.push(Date.parse(summary.time ?? ""));
        }
        expect(sorted(found)).toEqual(sorted(await expected(filter)));
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      }),
      { numRuns: runs(40) },
    );
  });

  it("takes `since` as the first moment and `until` as the first after", async () => {
    await write(0, 40);
    const moments = Array.from({ length: 40 }, (_, s) => START + s * 1000);
    for (const since of [moments[0] ?? 0, moments[17] ?? 0, moments[39] ?? 0]) {
      expect(await ask({ since, until: since + 1000 })).toHaveLength(1);
    }
  });

  it("tells apart what is one term to the index", async () => {
    const log = await openLog({ dir });
    // CRC-32 of both is 4ddb0c25.
    for (const [n, runId] of ["plumless", "buckeroo"].entries()) await log.append({ runId, content: { n } });
    await log.close();
    expect(await ask({ run: "buckeroo" })).toEqual([1]);
  });

  it("finds what was appended since, in memory and once it is much", async () => {
    await write(0, 10);
    expect(await ask()).toHaveLength(10);
    const before = await readFile(await published());
    await write(10, 20);
    expect(await ask()).toHaveLength(20);
    expect(await readFile(await published())).toEqual(before);
    await write(20, 220, 50_000);
    expect(await ask()).toHaveLength(220);
    expect(await readFile(await published())).not.toEqual(before);
    expect(sorted(await ask({ run: "run-3" }))).toEqual(sorted(await expected({ run: "run-3" })));
  });

  it("leaves out a line that is not whole yet, and has it once it is", async () => {
    await write(0, 3);
    const path = join(dir, (await logFiles(dir))[0] ?? "");
    await ask();
    await appendFile(path, '{"content":{"n":77}');
    expect(await ask()).not.toContain(77);
    await appendFile(path, "}\n");
    expect(await ask()).toContain(77);
  });

  it.each([
    ["is no database", (path: string) => writeFile(path, "nonsense")],
    ["was cut", (path: string) => truncate(path, 70_000)],
    ["is empty", (path: string) => writeFile(path, "")],
  ])("is answered anew when the index %s", async (_, spoil) => {
    await write(0, 30);
    const before = await ask({ type: "tool" });
    await spoil(await published());
    expect(await ask({ type: "tool" })).toEqual(before);
    expect(await ask({ type: "tool" })).toEqual(before);
  });

  it("is answered anew when pages of the index are spoilt", async () => {
    await write(0, 400);
    const before = await ask({ type: "tool" });
    const path = await published();
    const bytes = await readFile(path);
    // All but the first two pages: the header, and what is known of the files.
    await writeFile(path, bytes.fill(0xff, 2 * 32_768));
    expect(await ask({ type: "tool" })).toEqual(before);
    expect(bytes.equals(await readFile(await published()))).toBe(false);
    expect(await ask({ type: "tool" })).toEqual(before);
  });

  it("is answered anew after any change of a byte of the index", async () => {
    await write(0, 60);
    const before = sorted(await ask());
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const path = await published();
        const bytes = await readFile(path);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        await writeFile(path, bytes);
        expect(sorted(await ask())).toEqual(before);
        expect(bytes.equals(await readFile(await published()))).toBe(false);
      }),
      { numRuns: runs(15) },
    );
  });

  it.each([
    ["of the same size", (text: string) => text],
    ["that is shorter", (text: string) => text.slice(0, text.length / 2)],
    ["that is longer", (text: string) => `${text}{"content":{"n":99}}\n`],
  ])("sees another file in the place of one that was indexed, %s", async (_, change) => {
    await write(0, 10);
    await ask();
    const path = join(dir, (await logFiles(dir))[0] ?? "");
    await writeFile(path, change((await readFile(path, "utf8")).replace("run-1", "run-9")));
    await utimes(path, 0, 0);
    expect(await ask({ run: "run-9" })).toEqual([1]);
    expect(sorted(await ask())).toEqual(sorted(await expected({})));
  });

  const changes: [string, string][] = [
    ["half of the records were removed", "DELETE FROM records WHERE id % 2 = 0"],
    ["all of a file's records were removed", "DELETE FROM records"],
    ["the terms of records were changed", "UPDATE records SET run = 1, type = 1, agent = 1 WHERE id % 3 = 0"],
    ["the times of records were changed", "UPDATE records SET time = 0"],
    ["the places of records were changed", "UPDATE records SET offset = 1, length = 5"],
    ["what mentions values was removed", "DELETE FROM mentions"],
    [
      "records were added",
      "INSERT INTO records SELECT NULL, file, idx, offset, length, 0, 1, 1, 1, 1, 1, 1, 1 FROM records",
    ],
    ["files were forgotten", "DELETE FROM files"],
    ["files are further than they were read", "UPDATE files SET offset = offset + 1000, records = records + 1"],
    ["an index of the index was dropped", "DROP INDEX byTime; DROP INDEX byRun"],
  ];

  it.each(changes)("returns every record if %s in the index", async (_, sql) => {
    await write(0, 60);
    const asked: RecordFilter[] = [{}, { run: "run-3" }, { type: "tool" }, { actor: "sales" }, { values: [hash(0)] }];
    const before = [];
    for (const filter of asked) before.push(await ask(filter));
    for (const filter of asked) {
      await change(sql);
      expect(await ask(filter)).toEqual(before[asked.indexOf(filter)]);
    }
  });

  it.each(changes.filter(([name]) => /removed|forgotten|further/.test(name) && !/values/.test(name)))(
    "returns every record if %s by an attacker who recomputed the digest",
    async (_, sql) => {
      await write(0, 60);
      const before = await ask({ run: "run-3" });
      await change(sql, true);
      expect(await ask({ run: "run-3" })).toEqual(before);
    },
  );

  it("returns every record if the index belongs to another log, or is an older one of this log", async () => {
    await write(0, 20);
    await ask();
    const older = await readFile(await published());
    const other = await temporaryDirectory();
    const mine = dir;
    dir = other;
    await write(100, 180);
    await ask();
    const folders = await readdir(join(cache, "suite-audit"));
    dir = mine;
    const paths = folders.map((folder) => join(cache, "suite-audit", folder, "v2.db"));
    const foreign = (await Promise.all(paths.map((path) => readFile(path)))).find((bytes) => !bytes.equals(older));
    for (const path of paths) await writeFile(path, foreign ?? "");
    expect(sorted(await ask({ run: "run-3" }))).toEqual(sorted(await expected({ run: "run-3" })));
    await write(20, 40);
    await ask();
    for (const path of paths) await writeFile(path, older);
    expect(sorted(await ask())).toEqual(sorted(await expected({})));
  });

  it("says how many lines are no records any more", async () => {
    await write(0, 10);
    const path = join(dir, (await logFiles(dir))[0] ?? "");
    await writeFile(path, (await readFile(path, "utf8")).replace('"n":3}', '"n":3'));
    for (let again = 0; again < 2; again++) {
      const told: number[] = [];
      const found: unknown[] = [];
      for await (const one of queryLog(dir, {}, { unreadable: (lines) => told.push(lines) })) found.push(one);
      expect({ told, found: found.length }).toEqual({ told: [1], found: 10 });
    }
  });

  it("leaves out files that are gone", async () => {
    await write(0, 5);
    await write(5, 9);
    await ask();
    await rm(join(dir, (await logFiles(dir))[0] ?? ""));
    expect(sorted(await ask())).toEqual([5, 6, 7, 8]);
    await write(9, 180, 50_000);
    expect(sorted(await ask())).toEqual(Array.from({ length: 175 }, (_, i) => 5 + i));
  });

  it("is answered right, many at once", async () => {
    await write(0, 40);
    const first = await Promise.all(Array.from({ length: 4 }, () => ask({ actor: "sales" })));
    await write(40, 80);
    const second = await Promise.all(Array.from({ length: 4 }, () => ask({ actor: "sales" })));
    for (const found of first) expect(found).toHaveLength(20);
    for (const found of second) expect(found).toHaveLength(40);
  });

  it("leaves the log's directory as it is, and in the cache nothing but the index", async () => {
    await write(0, 5);
    const before = await readdir(dir);
    await ask();
    expect(await readdir(dir)).toEqual(before);
    const [folder = ""] = await readdir(join(cache, "suite-audit"));
    expect(await readdir(join(cache, "suite-audit", folder))).toEqual(["v2.db"]);
  });

  it("keeps nothing in the index that could be read", async () => {
    await write(0, 20);
    await ask();
    const bytes = (await readFile(await published())).toString("latin1");
    for (const text of ["support", "run-3", "u-1", "execute_tool", "hmac-sha256", "deny"]) {
      expect(bytes).not.toContain(text);
    }
  });

  it("is answered where no index can be kept", async () => {
    await write(0, 5);
    process.env.XDG_CACHE_HOME = join(cache, "a-file");
    await writeFile(process.env.XDG_CACHE_HOME, "");
    expect(await ask()).toHaveLength(5);
  });

  it("takes away what killed queries left, after a day", async () => {
    await write(0, 5);
    await ask();
    const folder = join(await published(), "..");
    for (const name of ["query-old", "query-new"]) await mkdir(join(folder, name));
    for (const name of ["query-old", "v2.db"]) await utimes(join(folder, name), 0, 0);
    await ask();
    expect(await readdir(folder)).toEqual(["query-new", "v2.db"]);
    expect((await stat(join(folder, "v2.db"))).mtimeMs).toBe(0);
  });
});
