import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, type Verdict } from "../src/index.js";
import type { Cryptography } from "../src/signing/cryptography.js";
import { formatPublicKey } from "../src/signing/key.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import type { Signer } from "../src/signing/signer.js";
import type { VerifyOptions } from "../src/verify/options.js";
import { verifySources } from "../src/verify/verify-sources.js";
import { verifyFiles } from "../src/verify.js";
import { forgeCommits } from "./forge.js";

const FILE = "audit-one.jsonl";
const opening = JSON.stringify({ heads: [], operation: "open", origin: "o", type: "log" });
/** 200 commits: more than are verified at a time. */
const commits = Array.from({ length: 200 }, (_, n) => (n === 0 ? [opening] : [`{"n":${n}}`]));
const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));
/** Another signature in the place of the one in a checkpoint's line, under the same name and key id. */
const spoilt = (line: string) =>
  line.replace(/.{8}(=\\n"$)/, (_, end: string) => `${line.includes("AAAAAAAA") ? "BAAAAAAA" : "AAAAAAAA"}${end}`);

let signer: Signer;
let key = "";
let chained: string[] = [];
let unchained: string[] = [];
beforeAll(async () => {
  signer = ed25519Signer(generatePrivateKey());
  key = formatPublicKey(signer, nodeCryptography.sha256);
  chained = await forgeCommits(signer, FILE, commits);
  unchained = await forgeCommits(signer, FILE, commits, false);
});

/** The verdict on a file, and how many signatures it took. */
async function verified(lines: readonly string[], options: VerifyOptions = {}): Promise<Verdict & { asked: number }> {
  let asked = 0;
  const cryptography: Cryptography = {
    ...nodeCryptography,
    verify: (...args) => {
      asked++;
      return nodeCryptography.verify(...args);
    },
    verifyAside: async (...args) => {
      asked++;
      return nodeCryptography.verify(...args);
    },
  };
  const files = [{ name: FILE, read: () => [bytesOf(lines)] }];
  const verdict = await verifySources({ files, where: "Memory", ownKey: undefined, cryptography }, { key, ...options });
  return { ...verdict, asked };
}

describe("of the signatures of a file", () => {
  it("only the last is verified if each checkpoint names the previous one, and all otherwise or on request", async () => {
    expect(await verified(chained)).toMatchObject({ ok: true, size: 200, asked: 1 });
    expect(await verified(unchained)).toMatchObject({ ok: true, size: 200, asked: 200 });
    expect(await verified(chained, { everySignature: true })).toMatchObject({ ok: true, size: 200, asked: 200 });
  });

  it.each([1, 3, 127, 129, 131, 399])("one that was changed is found, in the line of index %i", async (at) => {
    for (const lines of [chained, unchained]) {
      const changed = lines.with(at, spoilt(lines[at] ?? ""));
      expect(changed[at]).not.toBe(lines[at]);
      const { problems } = await verified(changed);
      expect(problems).toMatchObject([{ kind: "checkpoint_altered", file: FILE, line: at + 1 }]);
    }
  });

  it("a series that was rewritten without the key is found, up to the last", async () => {
    // Size, root and names of the lines before can be computed by anybody; signatures cannot.
    const forged = await forgeCommits(signer, FILE, commits.slice(0, 150), true, (line, n) =>
      n >= 100 ? spoilt(line) : line,
    );
    expect((await verified([...forged, ...chained.slice(300)])).problems).toMatchObject([
      { kind: "checkpoint_altered", line: 202 },
    ]);
    expect((await verified(forged)).problems).toMatchObject([{ kind: "checkpoint_altered", line: 202 }]);
  });

  it("a commit that was divided in two is found", async () => {
    const whole = await forgeCommits(signer, FILE, [[opening], ['{"n":1}', '{"n":2}'], ['{"n":3}']]);
    const divided = await forgeCommits(signer, FILE, [[opening], ['{"n":1}'], ['{"n":2}']], true, (line, n) =>
      n === 0 ? line : spoilt(line),
    );
    const { ok } = await verified([...divided.slice(0, 4), ...whole.slice(3)]);
    expect(ok).toBe(false);
  });

  it("one that never was good, and that its signer went on from, is found by who asks for every one", async () => {
    const lines = await forgeCommits(signer, FILE, commits, true, (line, n) => (n === 70 ? spoilt(line) : line));
    expect(await verified(lines)).toMatchObject({ ok: true, size: 200 });
    expect((await verified(lines, { everySignature: true })).problems).toMatchObject([
      { kind: "checkpoint_altered", line: 142 },
    ]);
  });

  it("one that names another checkpoint before it is found, though both are good", async () => {
    // Two versions of commit 2, both signed.
    const other = await forgeCommits(signer, FILE, [[opening], ['{"n":1}', '{"n":"other"}'], ['{"n":2}']]);
    const resigned = await forgeCommits(signer, FILE, [[opening], ['{"n":1}', '{"n":"other"}']], false);
    expect(await verified(other)).toMatchObject({ ok: true });
    expect((await verified([...resigned, ...other.slice(5)])).problems).toMatchObject([
      { kind: "checkpoint_altered", line: 7 },
    ]);
  });

  it("one by another key than the next is verified itself: no key speaks for another", async () => {
    const stolen = ed25519Signer(generatePrivateKey());
    const both = `${key}\n${formatPublicKey(stolen, nodeCryptography.sha256)}`;
    const turns = (n: number) => (n < 3 ? signer : stolen);
    const six = commits.slice(0, 6);
    expect(await verified(await forgeCommits(turns, FILE, six), { key: both })).toMatchObject({ ok: true, asked: 2 });
    // What the first key never signed, under a checkpoint by the second, which is in order.
    const forged = await forgeCommits(turns, FILE, six, true, (line, n) => (n === 2 ? spoilt(line) : line));
    const { problems } = await verified(forged, { key: both });
    expect(problems).toMatchObject([{ kind: "checkpoint_altered", line: 6 }]);
  });

  it("all are verified of bytes that come once", async () => {
    const once = (lines: readonly string[]) =>
      verifyFiles([{ name: FILE, bytes: Readable.from([bytesOf(lines)]) }], { key });
    expect(await once(chained)).toMatchObject({ ok: true, size: 200 });
    expect((await once(chained.with(3, spoilt(chained[3] ?? "")))).problems).toMatchObject([
      { kind: "checkpoint_altered", line: 4 },
    ]);
  });

  it("what the cryptography throws is thrown", async () => {
    const cryptography: Cryptography = {
      ...nodeCryptography,
      verifyAside: () => Promise.reject(new Error("no threads")),
    };
    const files = [{ name: FILE, read: () => [bytesOf(unchained)] }];
    const sources = { files, where: "Memory", ownKey: undefined, cryptography };
    await expect(verifySources(sources, { key })).rejects.toThrow("no threads");
  });
});
