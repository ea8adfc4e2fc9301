import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { RecordBuffer } from "../src/delivery/buffer.js";
import { openLog, verify } from "../src/index.js";
import type { Sink } from "../src/sink/sink.js";
import { checkClaim } from "../src/verify/claims.js";
import { LineReader } from "../src/verify/lines.js";
import type { Scan } from "../src/verify/scan.js";
import { logFiles, temporaryDirectory } from "./support.js";

afterEach(() => {
  jest.useRealTimers();
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

  it("takes a claim of one record for no match of a file in which none is proven", () => {
    const scan = { roots: new Map([[1, "root"]]), head: undefined, unproven: [] } as unknown as Scan;
    expect(checkClaim({ file: "a.log", size: 1, root: "root" }, scan, undefined)).toMatchObject({
      kind: "file_shortened",
    });
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
