import { execFileSync, spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { findGo } from "../../../../../scripts/programs.mjs";
import { writeTiles } from "../../src/export/tlog.js";
import { openLog } from "../../src/index.js";
import { formatProof } from "../../src/proofs/proof-text.js";
import { proveConsistency, proveInclusion } from "../../src/proofs/prove.js";
import { type PublicKey, parsePublicKeys } from "../../src/signing/key.js";
import { publicKeysOf } from "../../src/signing/key-files.js";
import { nodeCryptography } from "../../src/signing/node-cryptography.js";
import { openAnchors } from "../../src/verify/anchors.js";
import { runHere } from "../cli/run.js";
import { logFiles, temporaryDirectory } from "../support.js";

const go = findGo();
if (go === undefined) {
  if (process.env.CI) throw new Error("The tests cannot run: there is no Go.");
  console.error("Tests are skipped: there is no Go to hold the export against golang.org/x/mod/sumdb/tlog.");
}
const withGo = go === undefined ? describe.skip : describe;

let program = "";
let [log, out, file, anchor] = ["", "", "", ""];
let keys: PublicKey[] = [];
const [key, anchorFile] = [() => join(log, "key.pub"), () => join(out, "anchor")];
const tiled = () => join(out, file.replace(".jsonl", ""));

beforeAll(async () => {
  if (go === undefined) return;
  program = join(await temporaryDirectory(), "tlogcheck");
  execFileSync(go, ["build", "-mod=readonly", "-buildvcs=false", "-o", program, "."], {
    cwd: import.meta.dirname,
    stdio: "pipe",
  });
  [log, out] = [await temporaryDirectory(), await temporaryDirectory()];
  const opened = await openLog({ dir: log });
  // 256 fills a tile, 65,536 would fill one of the next level: one full, and a partial one on each level that there is.
  for (let n = 0; n < 3; n++) await opened.append({ n });
  anchor = opened.checkpoint ?? "";
  await Promise.all(Array.from({ length: 700 }, (_, n) => opened.append({ n, text: "é".repeat(n) })));
  await opened.append({ text: "x".repeat(65_000) });
  await opened.close();
  file = (await logFiles(log))[0] ?? "";
  keys = parsePublicKeys((await publicKeysOf(log)) ?? "", nodeCryptography.sha256);
  await writeTiles(log, out, keys);
  await writeFile(anchorFile(), anchor);
}, 180_000);

const check = (...args: string[]) => spawnSync(program, args, { encoding: "utf8" });

withGo("what is exported as a tiled log", () => {
  it("is accepted by Go's tlog: signature, tiles, records, root", () => {
    expect(check(tiled(), key())).toMatchObject({ status: 0, stdout: expect.stringContaining("tiles: 70") });
  });

  it("is not, once a record in it is changed", async () => {
    const copy = await temporaryDirectory();
    await writeTiles(log, copy, keys);
    const bundle = join(copy, file.replace(".jsonl", ""), "tile", "entries", "001");
    const bytes = await readFile(bundle);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await writeFile(bundle, bytes);
    expect(check(join(copy, file.replace(".jsonl", "")), key())).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not the leaf"),
    });
  });

  it("is never written over", async () => {
    await expect(writeTiles(log, out, keys)).rejects.toMatchObject({ code: "EEXIST" });
    expect(await readdir(out)).toContain(file.replace(".jsonl", ""));
  });
});

withGo("a verifier key", () => {
  it("opens in Go's note what it was printed for: a file's head, and a checkpoint that was kept", async () => {
    const ofLog = await runHere(["verifier-key", log]);
    const ofCheckpoint = await runHere(["verifier-key", anchorFile(), "--key", key()]);
    expect(ofLog).toMatchObject({ code: 0, err: "" });
    expect(ofCheckpoint).toEqual(ofLog);
    const { status, stdout } = check("note", ofLog.out.trim(), anchorFile());
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^note: 1 signature by suite-audit\//),
    });
    // The key as it is in key.pub has another name.
    expect(check("note", (await readFile(key(), "utf8")).trim(), anchorFile())).toMatchObject({ status: 1 });
  });
});

withGo("a proof", () => {
  it("is accepted by Go's tlog, of records anywhere and from an anchor", async () => {
    const paths: string[] = [];
    for (const index of [0, 1, 255, 256, 511, 700]) {
      const path = join(out, `${index}.tlog-proof`);
      await writeFile(path, formatProof(await proveInclusion(log, file, index, keys)));
      paths.push(path);
    }
    const [old] = await openAnchors([anchor], keys, nodeCryptography);
    if (old) await writeFile(join(out, "consistency"), formatProof(await proveConsistency(log, old, keys)));
    const { status, stdout, stderr } = check(tiled(), key(), ...paths, join(out, "consistency"), anchorFile());
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.match(/^inclusion: /gm)).toHaveLength(6);
    expect(stdout).toContain(`consistency: ${old?.size} in `);
  });

  it("is not, of another record", async () => {
    const path = join(out, "changed.tlog-proof");
    const text = formatProof(await proveInclusion(log, file, 5, keys));
    await writeFile(path, text.replace("index 5", "index 6"));
    expect(check(tiled(), key(), path)).toMatchObject({ status: 1 });
  });
});
