import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog, type Signer, verify } from "../src/index.js";
import { formatPublicKey, parsePublicKeys } from "../src/signing/key.js";
import { parsePeriod } from "../src/signing/key-period.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { verifyFiles } from "../src/verify.js";
import { runHere } from "./cli/run.js";
import { logFiles, temporaryDirectory } from "./support.js";

const signer = (name: string): Signer => ed25519Signer(generatePrivateKey(name));
const lineOf = (key: Signer): string => formatPublicKey(key, nodeCryptography.sha256);

/** A file of its own, with records of these times. */
async function written(dir: string, key: Signer, times: readonly string[]): Promise<string> {
  const before = await logFiles(dir);
  const log = await openLog({ dir, signer: key });
  for (const time of times) await log.append({ time, type: "x" });
  await log.close();
  return (await logFiles(dir)).find((file) => !before.includes(file)) ?? "";
}

/** A log of two files: the old key's of March and May, then the new key's of June. */
async function rotated() {
  const dir = await temporaryDirectory();
  const [old, next] = [signer("example.com/old"), signer("example.com/new")];
  const first = await written(dir, old, ["2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"]);
  const second = await written(dir, next, ["2026-06-01T00:00:00Z"]);
  return { dir, first, second, old: lineOf(old), next: lineOf(next), thief: old };
}

describe("keys with a period", () => {
  it("verify what they signed in it, and the verdict says which key signed how much, and when it was valid", async () => {
    const { dir, old, next } = await rotated();
    const key = `# of our agent\n${old} from=2026-01-01 until=2026-05-31T23:59Z\n${next} from=2026-06-01\n`;
    const verdict = await verify(dir, { key });
    expect(verdict.problems).toEqual([]);
    expect(verdict.keys).toMatchObject([
      {
        name: "example.com/old",
        from: "2026-01-01T00:00:00.000Z",
        until: "2026-05-31T23:59:00.000Z",
        files: 1,
        records: 3,
      },
      { name: "example.com/new", from: "2026-06-01T00:00:00.000Z", files: 1, records: 2 },
    ]);
  });

  it.each([
    ["until=2026-04-01", 2],
    ["from=2026-04-01", 0],
  ])("report signatures outside of their period: %s", async (words, index) => {
    const { dir, old, next, first } = await rotated();
    const { ok, problems, size } = await verify(dir, { key: `${old} ${words}\n${next}` });
    expect({ ok, size }).toEqual({ ok: false, size: 5 });
    expect(problems).toMatchObject([{ kind: "key_out_of_period", file: first, index }]);
  });

  it("report signatures made after their revocation, by time", async () => {
    const { dir, old, next, first } = await rotated();
    const { problems } = await verify(dir, { key: `${old} revoked=2026-04-01T00:00Z\n${next}` });
    expect(problems).toMatchObject([{ kind: "key_revoked", file: first, index: 2 }]);
    expect(await verify(dir, { key: `${old} revoked=2026-05-02\n${next}` })).toMatchObject({ ok: true });
  });

  it("report records that a thief signed and backdated, if they are revoked after a checkpoint", async () => {
    const { dir, old, next, first, second, thief } = await rotated();
    const forged = await written(dir, thief, ["2026-03-02T00:00:00Z"]);
    expect(await verify(dir, { key: `${old} revoked=2026-05-02\n${next}` })).toMatchObject({ ok: true });
    // The new key's file names the head of the old one's: up to there all is as it was before the theft.
    const key = `${old} revoked=${second}#1\n${next}`;
    expect((await verify(dir, { key })).problems).toMatchObject([{ kind: "key_revoked", file: forged, index: 0 }]);
    const cut = `${old} revoked=${first}#2\n${next}`;
    expect((await verify(dir, { key: cut })).problems).toMatchObject([
      { kind: "key_revoked", file: first, index: 2 },
      { kind: "key_revoked", file: forged, index: 0 },
    ]);
  });

  it("are the same to verifyFiles", async () => {
    const { dir, old, next } = await rotated();
    const files = await Promise.all(
      (await logFiles(dir)).map(async (name) => ({ name, bytes: await readFile(join(dir, name)) })),
    );
    const key = `${old} revoked=2026-04-01\n${next}`;
    expect(await verifyFiles(files, { key })).toEqual(await verify(dir, { key }));
  });

  it("stay as they are in key.pub when the key signs there again", async () => {
    const dir = await temporaryDirectory();
    const key = signer("example.com/a");
    await written(dir, key, ["2026-03-01T00:00:00Z"]);
    const text = `${lineOf(key)} until=2026-01-01\n`;
    await writeFile(join(dir, "key.pub"), text);
    await written(dir, key, ["2026-03-01T00:00:00Z"]);
    expect(await readFile(join(dir, "key.pub"), "utf8")).toBe(text);
    expect((await verify(dir)).problems.map(({ kind }) => kind)).toEqual(["key_out_of_period", "key_out_of_period"]);
  });

  it("are told by the command, with exit code 1", async () => {
    const { dir, old, next } = await rotated();
    const file = join(await temporaryDirectory(), "keys.pub");
    await writeFile(file, `${old} revoked=2026-04-01\n${next}\n`);
    const { code, out } = await runHere(["verify", dir, "--key", file]);
    expect(code).toBe(1);
    expect(out).toContain("key_revoked");
    expect(out).toMatch(/key example\.com\/old\+[0-9a-f]{8}: 3 records in 1 file; revoked 2026-04-01T00:00:00\.000Z/);
  });
});

describe("a period", () => {
  it("is the strictest of two lines of one key", () => {
    const line = lineOf(signer("a"));
    const text = `${line}\n${line} until=2026-02-01 revoked=2026-03-01\n${line} until=2026-01-01 from=2025-01-01\n`;
    const [key, ...more] = parsePublicKeys(text, nodeCryptography.sha256);
    expect(more).toEqual([]);
    expect(key?.period).toEqual(parsePeriod("from=2025-01-01 until=2026-01-01 revoked=2026-03-01"));
  });

  it.each([
    "until",
    "until=",
    "until=soon",
    "until=2026-01-01 until=2026-01-02",
    "revoked=audit-x#1",
    "retired=2026-01-01",
  ])("that is not understood is refused: %s", (words) => {
    expect(() => parsePeriod(words)).toThrow(expect.objectContaining({ code: "ERR_AUDIT_INVALID_KEY" }));
  });
});
