import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { openLog, verify } from "../../src/index.js";
import { fixture } from "../durability/proof.js";
import { linesOf, logFiles, recordsOf, temporaryDirectory } from "../support.js";
import { traced } from "./strace.js";

describe("a disk that says no", () => {
  const run = async (before: string[], dir: string, sizes: number[]) => {
    const [command = "", ...args] = [...before, process.execPath, fixture("one-by-one.mjs"), dir, ...sizes.map(String)];
    const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, UV_THREADPOOL_SIZE: "1" } });
    return JSON.parse(stdout) as { file?: string; code?: string; cause?: string }[];
  };
  const inject = (fault: string) => ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `inject=${fault}`];

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

  traced("is interrupted: asks again, and acknowledges", async () => {
    const dir = await temporaryDirectory();
    for (const call of ["pwrite64", "fdatasync"]) {
      const results = await run(inject(`${call}:error=EINTR:when=2`), dir, [100, 200, 300]);
      expect(results.map(({ code }) => code)).toEqual([undefined, undefined, undefined]);
    }
    expect(await verify(dir)).toMatchObject({ ok: true, records: 8 });
  });

  traced("cannot list the directory: takes the new file back, so that none is left at each try", async () => {
    const dir = await temporaryDirectory();
    // With its key and its identity, as every log but the first one of a directory.
    await (await openLog({ dir })).close();
    const results = await run(inject("getdents64:error=EIO:when=1..3"), dir, [100, 200, 300, 400]);
    expect(results.map(({ cause }) => cause)).toEqual(["EIO", "EIO", "EIO", undefined]);
    expect(await logFiles(dir)).toHaveLength(1);
    expect(await verify(dir)).toMatchObject({ ok: true, records: 2 });
  });

  traced("has a quota that is used up: the same file goes on when there is room again", async () => {
    const dir = await temporaryDirectory();
    const results = await run(inject("pwrite64:error=EDQUOT:when=2..4"), dir, [100, 200, 300, 400, 500]);
    const [file] = await logFiles(dir);
    const failed = { code: "ERR_AUDIT_WRITE_FAILED" };
    expect(results).toMatchObject([{ file }, failed, failed, failed, { file }]);
    expect(await verify(dir)).toMatchObject({ ok: true, records: 3, tail: 0 });
  });

  traced.each(["pwrite64", "fdatasync"])(
    "fails at each %s: few files are begun, however much is appended",
    async (call) => {
      const dir = await temporaryDirectory();
      const results = await run(inject(`${call}:error=EIO:when=2+`), dir, Array(200).fill(100));
      expect(results.filter(({ code }) => code === "ERR_AUDIT_WRITE_FAILED").length).toBe(199);
      expect((await logFiles(dir)).length).toBeLessThan(12);
      expect(await verify(dir)).toMatchObject({ ok: true });
    },
  );
});
