import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { progressLine } from "../src/cli/progress.js";
import { ed25519Signer, generatePrivateKey, openLog, verify } from "../src/index.js";
import { formatPublicKey } from "../src/signing/key.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { forge, forgeCommits } from "./forge.js";
import { abandon, linesOf, logFiles, temporaryDirectory, writeLines } from "./support.js";

const cli = join(import.meta.dirname, "..", "dist", "cli.js");
const run = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [cli, "verify", ...args], (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });

let dir = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
  const log = await openLog({ dir });
  for (let n = 0; n < 3; n++) await log.append({ n });
  await abandon(log, dir);
});

const alter = async (from: string, to: string) =>
  writeLines(
    dir,
    (await linesOf(dir)).map((line) => line.replace(from, to)),
  );

describe("suite-audit verify", () => {
  it("exits with 3 if only the end of a file is in doubt, and prints the proven part", async () => {
    await alter('"n":2', '"n":7');
    const { code, out } = await run(dir);
    expect(code).toBe(3);
    expect(out).toContain("IN DOUBT: how 1 file ended. Verified: 3 records in 1 file");
    expect(out).toContain("line 6, record 3: record_altered, or never acknowledged.");
  });

  it("exits with 1 if one problem is certain, also next to an uncertain one", async () => {
    await alter('"n":2', '"n":7');
    const other = await openLog({ dir });
    for (let n = 10; n < 13; n++) await other.append({ n });
    await other.close();
    const [, second = ""] = await logFiles(dir);
    const lines = await linesOf(dir, second);
    await writeLines(dir, lines.toSpliced(3, 1), second);
    const { code, out } = await run(dir);
    expect(code).toBe(1);
    expect(out).toContain("NOT VERIFIED: 2 problems");
  });

  it("verifies by --every-signature also those that a later one covers", async () => {
    const signer = ed25519Signer(generatePrivateKey());
    const other = await temporaryDirectory();
    const opening = '{"heads":[],"operation":"open","origin":"o","type":"log"}';
    const lines = await forgeCommits(signer, "audit-one.jsonl", [[opening], ['{"n":1}']], true, (line, n) =>
      n === 0 ? line.replace(/.{8}(=\\n"$)/, "AAAAAAAA$1") : line,
    );
    await writeLines(other, lines, "audit-one.jsonl");
    const key = join(other, "key");
    await writeFile(key, formatPublicKey(signer, nodeCryptography.sha256));
    expect((await run(other, "--key", key)).code).toBe(0);
    const { code, out } = await run(other, "--key", key, "--every-signature");
    expect(code).toBe(1);
    expect(out).toContain("line 2: checkpoint_altered. The checkpoint was changed after it was signed.");
  });

  it("prints the verdict as one line of JSON", async () => {
    const { code, out } = await run(dir, "--json");
    expect(code).toBe(0);
    expect(out.split("\n")).toHaveLength(2);
    expect(JSON.parse(out)).toEqual(await verify(dir));
  });

  it("prints nothing that a terminal would obey, whatever a record names", async () => {
    const signer = ed25519Signer(generatePrivateKey());
    const hostile = await temporaryDirectory();
    const log = await openLog({ dir: hostile, signer });
    await log.append({ n: 1 });
    await log.close();
    const [file = ""] = await logFiles(hostile);
    const heads = [{ file: "audit-\u001b]0;owned\u0007\u202e.jsonl", root: "x", size: 3 }];
    const opening = JSON.stringify({ heads, operation: "open", type: "log" });
    await writeLines(hostile, await forge(signer, file, [opening]));
    for (const args of [[hostile], [hostile, "--json"]]) {
      const { code, out } = await run(...args);
      expect(code).toBe(1);
      expect(out).toContain("file_missing");
      expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      expect(out).toContain("owned");
    }
  });

  it("prints its progress if requested, and not in the output", async () => {
    const { out, err } = await run(dir, "--progress");
    expect(err).toMatch(/^verifying: 100 % of \d+\.\d MB\n$/);
    expect(out).not.toContain("verifying:");
    expect((await run(dir)).err).toBe("");
  });

  it("ends with 2 and an answer where the key is none", async () => {
    const key = join(dir, "wrong");
    await writeFile(key, "no key");
    const { code, out, err } = await run(dir, "--key", key);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("not a public key");
    expect(await readFile(key, "utf8")).toBe("no key");
  });
});

describe("the progress line", () => {
  it("appears on a terminal when it takes long, is written anew, and leaves", () => {
    let time = 0;
    let screen = "";
    const terminal = { isTTY: true, write: (text: string) => (screen += text) };
    const line = progressLine(terminal, false, "verifying", () => time);
    line?.tell({ bytes: 1, totalBytes: 4 });
    expect(screen).toBe("");
    time = 1500;
    line?.tell({ bytes: 1_000_000, totalBytes: 4_000_000 });
    line?.tell({ bytes: 2_000_000, totalBytes: 4_000_000 });
    expect(screen).toBe("\r\u001b[Kverifying: 25 % of 4.0 MB");
    line?.end();
    expect(screen.endsWith("\r\u001b[K")).toBe(true);
  });

  it("is absent unless it is requested or the output is a terminal", () => {
    expect(progressLine({ write: () => {} }, false)).toBeUndefined();
  });
});
