import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { tilePath } from "../../src/export/tile-writer.js";
import { writeTiles } from "../../src/export/tlog.js";
import { ed25519Signer, generatePrivateKey } from "../../src/index.js";
import { forge } from "../forge.js";
import { temporaryDirectory } from "../support.js";

describe("a tile's path", () => {
  it.each([
    [0, 256, "000"],
    [1234067, 256, "x001/x234/067"],
    [1000, 256, "x001/000"],
    [7, 3, "007.p/3"],
  ])("of tile %d with %d hashes is %s", (number, width, path) => {
    expect(tilePath(number, width)).toBe(path);
  });
});

describe("an export as tiles", () => {
  const signer = ed25519Signer(generatePrivateKey("example.com/x"));
  const file = "audit-1.jsonl";

  async function exported(records: readonly string[], change = (lines: readonly string[]) => lines): Promise<string> {
    const [dir, out] = [await temporaryDirectory(), await temporaryDirectory()];
    const lines = change(await forge(signer, file, records));
    await writeFile(join(dir, file), lines.map((line) => `${line}\n`).join(""));
    await writeTiles(dir, out, [signer]);
    return join(out, "audit-1");
  }

  it("names the record that is too large for an entry", async () => {
    const large = JSON.stringify({ x: "y".repeat(65_536 - 8) });
    await expect(exported(['{"n":0}', large])).rejects.toMatchObject({
      code: "ERR_AUDIT_RECORD_TOO_LARGE",
      message: expect.stringContaining(`Record 1 of ${file} has 65536 bytes`),
    });
    expect(await readdir(await exported(['{"n":0}', large.replace("y", "")]))).toContain("checkpoint");
  });

  it("has no checkpoint where the records are not those that were signed", async () => {
    const change = (lines: readonly string[]) => lines.map((line) => line.replace('{"n":1}', '{"n":7}'));
    await expect(exported(['{"n":0}', '{"n":1}'], change)).rejects.toMatchObject({ code: "ERR_AUDIT_NO_PROOF" });
  });

  it("leaves out what no checkpoint covers", async () => {
    const out = await exported(['{"n":0}'], (lines) => [...lines, '{"n":1}']);
    expect(await readdir(join(out, "tile", "entries", "000.p"))).toEqual(["1"]);
  });
});
