import { existsSync, unlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog, verify } from "../src/index.js";
import { RecordBuffer } from "../src/log/delivery/buffer.js";
import type { Sink } from "../src/log/delivery/sink.js";
import { LineReader } from "../src/log/line-reader.js";
import { LogFile } from "../src/log/log-file.js";
import { formatCheckpoint, parseCheckpoint } from "../src/signing/checkpoint.js";
import type { Cryptography } from "../src/signing/cryptography.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { checkClaim, coverage } from "../src/verify/claims.js";
import { CommitRoots } from "../src/verify/commit-roots.js";
import { NamedHeads } from "../src/verify/named-heads.js";
import { Scan } from "../src/verify/scan.js";
import { logFiles, temporaryDirectory } from "./support.js";

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe("the buffer of a sink that fails", () => {
  it("tries again soon after a recovery, however long it had come to wait before", async () => {
    jest.useFakeTimers();
    let broken = true;
    let tries = 0;
    const sink: Sink = {
      async append() {
        tries++;
        if (broken) throw Object.assign(new Error("no"), { code: "EIO" });
      },
      close: async () => {},
    };
    const buffer = new RecordBuffer(sink, 1_000_000, () => {});
    const send = () => buffer.send({ record: {}, bytes: 1 } as never, true);
    send();
    await jest.advanceTimersByTimeAsync(20_000); // it waits five seconds between tries by now
    broken = false;
    await jest.advanceTimersByTimeAsync(5000);
    broken = true;
    send();
    await jest.advanceTimersByTimeAsync(0);
    const before = tries;
    await jest.advanceTimersByTimeAsync(150);
    expect(tries).toBe(before + 1);
  });
});

describe("the buffer of a sink that throws at once", () => {
  it("keeps the records, sends all of them when it can again, and is idle then", async () => {
    let broken = false;
    const written: unknown[] = [];
    const sink: Sink = {
      append(record) {
        if (broken) throw Object.assign(new Error("no"), { code: "EIO" });
        return Promise.resolve(written.push(record));
      },
      close: async () => {},
    };
    const buffer = new RecordBuffer(sink, 1_000_000, () => {});
    const send = (n: number) => buffer.send({ record: { n }, bytes: 1 } as never, true);
    broken = true;
    for (const n of [1, 2, 3]) send(n);
    await new Promise((resolve) => setImmediate(resolve));
    broken = false;
    await buffer.drained();
    expect(written).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("goes on when a warning cannot be given", async () => {
    let broken = true;
    const written: unknown[] = [];
    const sink: Sink = {
      async append(record) {
        if (broken) throw Object.assign(new Error("no"), { code: "EIO" });
        written.push(record);
      },
      close: async () => {},
    };
    const buffer = new RecordBuffer(sink, 1_000_000, () => {
      throw new Error("EPIPE");
    });
    const send = (n: number) => buffer.send({ record: { n }, bytes: 1 } as never, true);
    for (const n of [1, 2]) send(n);
    await new Promise((resolve) => setImmediate(resolve));
    broken = false;
    await buffer.drained();
    expect(written).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe("verification of a hostile file", () => {
  it("keeps no more of a line without an end than the longest line there can be", () => {
    const reader = new LineReader();
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    const lines = Array.from({ length: 12 }, () => [...reader.push(piece)]).flat();
    expect(lines.map(({ bytes, complete }) => [bytes.length, complete])).toEqual([
      [5 * 1024 * 1024, false],
      [5 * 1024 * 1024, false],
    ]);
  });

  it("hashes no line that no checkpoint follows, and each line at most twice", async () => {
    let hashed = 0;
    const counting: Cryptography = {
      ...nodeCryptography,
      sha256(bytes) {
        hashed++;
        return nodeCryptography.sha256(bytes);
      },
    };
    const scan = new Scan("a.log", { open: () => ({ status: "bad_signature", checkpoint }) } as never, counting);
    const checkpoint = { origin: "suite-audit/a.log", size: 10_001, root: "root", commit: 1 };
    const line = (text: string, at: number) => ({ bytes: new TextEncoder().encode(text), offset: at, complete: true });
    for (let at = 0; at < 10_000; at++) await scan.read(line("{}", 3 * at));
    expect(hashed).toBe(0);
    // A forged checkpoint of the wrong size is refused without a hash.
    await scan.read(line('"forged"', 30_000));
    expect(hashed).toBe(0);
    expect(scan.finish(0, false, () => false)).toMatchObject({ kind: "checkpoint_altered", line: 10_001 });
    const right = new Scan(
      "a.log",
      { open: () => ({ status: "bad_signature", checkpoint: { ...checkpoint, size: 10_000 } }) } as never,
      counting,
    );
    for (let at = 0; at < 10_000; at++) await right.read(line("{}", 3 * at));
    await right.read(line('"forged"', 30_000));
    expect(hashed).toBeLessThan(20_020);
  });

  it("takes a claim of one record for no match of a file in which none is proven", () => {
    const scan = { roots: new CommitRoots(), head: undefined, hasUnproven: () => false } as unknown as Scan;
    expect(checkClaim({ file: "a.log", size: 1, root: "root" }, scan, undefined)).toMatchObject({
      kind: "file_shortened",
    });
  });
});

describe("the text of a checkpoint", () => {
  it("is none of ours where its root is no hash in base64, or has another reading", () => {
    const checkpoint = { origin: "suite-audit/a", size: 1, root: `${"A".repeat(43)}=`, commit: 1 };
    expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint);
    for (const root of ["!".repeat(44), `${"A".repeat(42)}B=`]) {
      expect(parseCheckpoint(formatCheckpoint({ ...checkpoint, root }))).toBeUndefined();
    }
  });
});

describe("what anchors cover", () => {
  const head = (file: string, size: number) => ({ file, size, root: "root" });

  it("is the most that one of them says, in whatever order they come", () => {
    for (const anchors of [
      [head("a", 3), head("a", 5)],
      [head("a", 5), head("a", 3)],
    ]) {
      expect(coverage(anchors, () => undefined, new Set())).toEqual(new Map([["a", 5]]));
    }
  });

  it("excludes a damaged file, and claims that only this file contains", () => {
    const ofB = new NamedHeads();
    ofB.add(0, [head("a", 2)]);
    ofB.add(4, [head("a", 3)]);
    const openings = (file: string) => (file === "b" ? ofB : undefined);
    expect(coverage([head("b", 4)], openings, new Set(["b"]))).toEqual(new Map());
    expect(coverage([head("b", 4)], openings, new Set())).toEqual(
      new Map([
        ["b", 4],
        ["a", 2],
      ]),
    );
  });
});

describe("a file of the log", () => {
  /** The prototype from which all open files have their methods. */
  async function handles(): Promise<{ write: FileHandle["write"]; sync: FileHandle["sync"] }> {
    const handle = await open(await temporaryDirectory());
    await handle.close();
    return Object.getPrototypeOf(handle);
  }

  it("that holds nothing is not full, whatever a limit says of a record that is too large for it", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await log.close();
    const again = await openLog({ dir });
    jest
      .spyOn(await handles(), "write")
      .mockRejectedValueOnce(Object.assign(new Error("too large"), { code: "EFBIG" }));
    await expect(again.append({ n: 2 })).rejects.toMatchObject({ code: "ERR_AUDIT_WRITE_FAILED" });
    await again.append({ n: 3 });
    await again.close();
    expect(await logFiles(dir)).toHaveLength(2);
  });

  it("is gone by the time that its making has failed", async () => {
    const dir = await temporaryDirectory();
    const signer = ed25519Signer(generatePrivateKey());
    jest.spyOn(await handles(), "sync").mockRejectedValueOnce(new Error("EIO"));
    await expect(LogFile.create(dir, "log", "a.jsonl", signer)).rejects.toThrow("EIO");
    expect(existsSync(join(dir, "a.jsonl"))).toBe(false);
  });
});

describe("verification of a log that retention works on", () => {
  it("begins again where a file is gone by the time that it is read", async () => {
    const dir = await temporaryDirectory();
    for (const n of [1, 2]) {
      const log = await openLog({ dir });
      await log.append({ n });
      await log.close();
    }
    const [first = ""] = await logFiles(dir);
    let listed = 0;
    const options = {
      // Read behind the listing of the files, and before their contents.
      get key(): undefined {
        if (listed++ === 0) unlinkSync(join(dir, first));
        return undefined;
      },
    };
    const { problems } = await verify(dir, options as never);
    expect(problems).toEqual([expect.objectContaining({ kind: "file_missing", file: first })]);
    expect(listed).toBeGreaterThan(1);
  });
});
