import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { verify } from "../src/index.js";
import { linesOf, logFiles, recordsOf, temporaryDirectory } from "./support.js";

const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);
const KILLS = 36;

/** Ids of the records that are proven. */
async function proven(dir: string): Promise<Set<unknown>> {
  const { ok, problems, files } = await verify(dir);
  expect({ ok, problems }).toEqual({ ok: true, problems: [] });
  const ids = new Set<unknown>();
  for (const { file, size } of files) {
    const records = (await linesOf(dir, file)).filter((line) => line.startsWith("{")).slice(0, size);
    for (const record of records) ids.add((JSON.parse(record) as { id: unknown }).id);
  }
  return ids;
}

describe("a process that is killed", () => {
  it(`loses no acknowledged record, ${KILLS} times`, async () => {
    const dir = await temporaryDirectory();
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const writers = [1, 16, 256][kill % 3] ?? 1;
      const child = spawn(process.execPath, [fixture("writer.mjs"), dir, String(writers)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let printed = "";
      child.stdout.on("data", (text: Buffer) => {
        printed += text.toString();
      });
      const ended = once(child, "close");
      await Promise.race([once(child.stdout, "data"), ended]);
      await sleep(Math.random() * 40);
      child.kill("SIGKILL");
      await ended;
      acknowledged.push(...printed.split("\n").slice(0, -1));
    }
    const ids = await proven(dir);
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  }, 120_000);
});

describe("processes that share a directory", () => {
  it("write side by side, each in files of its own, and all is proven", async () => {
    const dir = await temporaryDirectory();
    const run = () => promisify(execFile)(process.execPath, [fixture("writer.mjs"), dir, "4", "100"]);
    const printed = (await Promise.all([run(), run(), run()])).map(({ stdout }) => stdout.trim().split("\n"));
    const ids = await proven(dir);
    expect(printed.flat()).toHaveLength(1200);
    expect(printed.flat().filter((id) => !ids.has(id))).toEqual([]);
  }, 60_000);
});

describe("a disk that says no", () => {
  const run = async (before: string[], dir: string, sizes: number[]) => {
    const [command = "", ...args] = [...before, process.execPath, fixture("one-by-one.mjs"), dir, ...sizes.map(String)];
    const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, UV_THREADPOOL_SIZE: "1" } });
    return JSON.parse(stdout) as { file?: string; code?: string; cause?: string }[];
  };
  const canTrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;
  if (!canTrace && process.env.CI) throw new Error("CI cannot use strace: the faults of the kernel are not tested");
  if (!canTrace) console.info("strace cannot be used here: the tests with faults of the kernel are left out");
  const traced = canTrace ? it : it.skip;
  const inject = (fault: string) => [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${fault.split(":")[0]}`,
    "-e",
    `inject=${fault}`,
  ];

  it("meets a limit in the middle of a write: cuts back to the last good byte, and goes on in a new file", async () => {
    const dir = await temporaryDirectory();
    // 64 blocks of 512 or 1024 bytes, as shells differ.
    const limited = ["sh", "-c", 'ulimit -f 64; exec "$@"', "sh"];
    const results = await run(limited, dir, [20_000, 50_000, 100, 1000]);
    const failed = results.filter(({ code }) => code !== undefined);
    expect(failed.length).toBeGreaterThan(0);
    for (const result of failed) expect(result).toEqual({ code: "ERR_AUDIT_WRITE_FAILED", cause: "EFBIG" });
    expect(results.at(-1)).toHaveProperty("file");
    const verdict = await verify(dir);
    expect(verdict).toMatchObject({ ok: true, tail: 0 });
    expect(verdict.records).toBe(verdict.files.length + results.length - failed.length);
  });

  traced("has no room for one batch: rejects it, and goes on in the same file", async () => {
    const dir = await temporaryDirectory();
    const results = await run(inject("pwrite64:error=ENOSPC:when=2"), dir, [100, 200, 300]);
    const [file] = await logFiles(dir);
    expect(results).toEqual([{ file }, { code: "ERR_AUDIT_WRITE_FAILED", cause: "ENOSPC" }, { file }]);
    expect(await verify(dir)).toMatchObject({ ok: true, records: 3, tail: 0 });
  });

  traced("has no room for the first batch: the file still begins with its opening record", async () => {
    const dir = await temporaryDirectory();
    const results = await run(inject("pwrite64:error=ENOSPC:when=1"), dir, [100, 200]);
    expect(results[0]).toHaveProperty("code");
    expect(await recordsOf(dir)).toMatchObject([{ type: "log" }, { n: 1 }]);
    expect(await verify(dir)).toMatchObject({ ok: true });
  });

  traced("fails to sync: the batch is rejected, and nothing more is written to that file", async () => {
    const dir = await temporaryDirectory();
    const results = await run(inject("fdatasync:error=EIO:when=2"), dir, [100, 200, 300]);
    const [first, second] = await logFiles(dir);
    expect(results).toEqual([{ file: first }, { code: "ERR_AUDIT_WRITE_FAILED", cause: "EIO" }, { file: second }]);
    const [opening] = await linesOf(dir, second);
    // What was acknowledged, and not what the file may hold.
    expect(JSON.parse(opening ?? "")).toMatchObject({ heads: [{ file: first, size: 2 }] });
    expect(await verify(dir)).toMatchObject({ ok: true });
    expect((await stat(join(dir, first ?? ""))).size).toBeGreaterThan(0);
  });
});
