import { type FileHandle, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { linesBack } from "../src/log/lines-back.js";
import { linesOf } from "../src/query/lines-of.js";
import { temporaryDirectory } from "./support.js";

let path = "";
beforeAll(async () => {
  path = join(await temporaryDirectory(), "file");
});

async function back(to: number, least?: number) {
  const handle: FileHandle = await open(path, "r");
  try {
    const found: { text: string; offset: number }[] = [];
    for await (const { bytes, offset } of linesBack(handle, to, least)) found.push({ text: bytes.toString(), offset });
    return found.reverse();
  } finally {
    await handle.close();
  }
}

async function forth(to: number) {
  const found: { text: string; offset: number }[] = [];
  for await (const lines of linesOf(path, 0, to)) {
    found.push(...lines.map(({ bytes, offset }) => ({ text: Buffer.from(bytes).toString(), offset })));
  }
  return found;
}

/** Lines short and long: some end where a piece ends that is read. */
const line = fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(16_383, 16_384, 16_385, 40_000, 1_048_575, 1_060_000));

describe("lines from the end of a file", () => {
  it("are those that are read from its beginning, up to any byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), fc.nat(), async (lengths, whole, cut) => {
        const text = lengths.map((length, n) => `${n % 10}`.repeat(length)).join("\n") + (whole ? "\n" : "");
        await writeFile(path, text);
        expect(await back(text.length)).toEqual(await forth(text.length));
        const to = cut % (text.length + 1);
        expect(await back(to)).toEqual(await forth(to));
        const least = Math.floor(to / 2);
        expect(await back(to, least)).toEqual((await forth(to)).filter(({ offset }) => offset > least || least === 0));
      }),
      { numRuns: runs(60) },
    );
  });

  it("pass over what is longer than a commit", async () => {
    await writeFile(path, `a\n${"x".repeat(5 * 1024 * 1024)}\nb\n`);
    const { length } = "a\n\nb\n";
    expect(await back(5 * 1024 * 1024 + length)).toEqual([
      { text: "a", offset: 0 },
      { text: "b", offset: 5 * 1024 * 1024 + 3 },
    ]);
  });

  it("end where the file was cut meanwhile", async () => {
    await writeFile(path, "a\nb\n");
    expect(await back(400)).toEqual([]);
  });
});
