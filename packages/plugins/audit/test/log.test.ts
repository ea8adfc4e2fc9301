import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog, verify } from "../src/index.js";
import { unhurriedRecord } from "../src/record/draft.js";
import { formatPublicKey } from "../src/signing/key.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { linesOf, logFiles, recordsOf, temporaryDirectory } from "./support.js";

describe("the log", () => {
  it("acknowledges with the index under which the record stands", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    const first = await log.append({ n: 1 });
    const second = await log.append({ n: 2 });
    await log.close();
    expect([first.index, second.index]).toEqual([1, 2]);
    expect(await recordsOf(dir)).toEqual([expect.objectContaining({ type: "log", heads: [] }), { n: 1 }, { n: 2 }]);
  });

  it("gives appends at the same time one commit, in order", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    const appended = await Promise.all(Array.from({ length: 256 }, (_, n) => log.append({ n })));
    expect(appended.map(({ index }) => index)).toEqual(Array.from({ length: 256 }, (_, n) => n + 1));
    expect((await linesOf(dir)).filter((line) => line.startsWith('"'))).toHaveLength(1);
    await log.close();
  });

  it("lets writers that wait for each record share commits", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    const writer = async () => {
      for (let n = 0; n < 20; n++) await log.append({ n });
    };
    await Promise.all(Array.from({ length: 32 }, writer));
    await log.close();
    const commits = (await linesOf(dir)).filter((line) => line.startsWith('"')).length;
    expect(commits).toBeLessThan(40);
  });

  it("commits unawaited records together if they arrive in consecutive turns of the event loop", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    const appended: Promise<unknown>[] = [];
    for (let n = 0; n < 20; n++) {
      appended.push(log.append(unhurriedRecord({ n })));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(appended);
    const commits = (await linesOf(dir)).filter((line) => line.startsWith('"')).length;
    expect(commits).toBeLessThan(5);
    await log.close();
  });

  it("commits them with the next record that somebody waits for, in order, and when it is closed", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    const before = log.append(unhurriedRecord({ n: 1 }));
    expect(await log.append({ n: 2 })).toMatchObject({ index: 2 });
    expect(await before).toMatchObject({ index: 1 });
    expect((await linesOf(dir)).filter((line) => line.startsWith('"'))).toHaveLength(1);
    const last = log.append(unhurriedRecord({ n: 3 }));
    await log.close();
    expect(await last).toMatchObject({ index: 3 });
  });

  it("signs checkpoints as C2SP has them, over the lines of the file", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    const [file = ""] = await logFiles(dir);
    expect(log.checkpoint).toMatch(
      new RegExp(
        `^(suite-audit/[0-9a-f]{32}/${file.slice(0, -6)})\n2\n[A-Za-z0-9+/]{43}=\ncommit 1\n\n— \\1 [A-Za-z0-9+/]{91}=\n$`,
      ),
    );
    expect((await linesOf(dir)).at(-1)).toBe(JSON.stringify(log.checkpoint));
    await log.close();
  });

  it("refuses what is not JSON data, and takes the next record", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    await expect(log.append({ n: Number.NaN })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_RECORD" });
    await expect(log.append([1])).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_RECORD" });
    await log.append({ n: 1 });
    await log.close();
    await expect(log.append({ n: 2 })).rejects.toMatchObject({ code: "ERR_AUDIT_CLOSED" });
    expect(await verify(dir)).toMatchObject({ ok: true, records: 2 });
  });

  it("stores a record of 65,535 bytes whole, and leaves out the content of one that has one more", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    const frame = JSON.stringify({ content: "", n: 1 }).length;
    await log.append({ content: "x".repeat(65_535 - frame), n: 1 });
    await log.append({ content: "x".repeat(65_536 - frame), n: 1 });
    await log.close();
    const [, whole = "", , short = ""] = await linesOf(dir);
    expect(whole).toHaveLength(65_535);
    expect(JSON.parse(short)).toMatchObject({ content: { leftOut: { bytes: 65_536 - frame + 2 } } });
  });

  it("leaves out content beyond that, and says how much it was, and its hash", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir });
    await log.append({ type: "tool", content: "x".repeat(70_000) });
    await expect(log.append({ type: "x".repeat(70_000), content: 1 })).rejects.toMatchObject({
      code: "ERR_AUDIT_RECORD_TOO_LARGE",
    });
    await log.close();
    const hash = Buffer.from(nodeCryptography.sha256(Buffer.from(`"${"x".repeat(70_000)}"`))).toString("hex");
    expect((await recordsOf(dir))[1]).toEqual({ type: "tool", content: { leftOut: { bytes: 70_002, sha256: hash } } });
  });

  it("rejects when more waits for the disk than may, and nothing else is lost", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir, maxQueuedBytes: 1000 });
    const all = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => log.append({ n, text: "x".repeat(80) })));
    await log.append({ after: true });
    await log.close();
    const kept = all.filter(({ status }) => status === "fulfilled").length;
    expect(kept).toBeLessThan(50);
    expect(await recordsOf(dir)).toHaveLength(1 + kept + 1);
    expect(all.find((one) => one.status === "rejected")).toMatchObject({ reason: { code: "ERR_AUDIT_QUEUE_FULL" } });
  });

  it("begins a new file when one is full, and each names the heads of those before", async () => {
    const dir = await temporaryDirectory();
    const log = await openLog({ dir, maxFileBytes: 2000 });
    for (let n = 0; n < 12; n++) await log.append({ n, text: "x".repeat(300) });
    await log.close();
    const files = await logFiles(dir);
    expect(files.length).toBeGreaterThan(2);
    const [opening] = await linesOf(dir, files.at(-1));
    const heads = (JSON.parse(opening ?? "") as { heads: { file: string }[] }).heads;
    expect(heads.map(({ file }) => file)).toEqual(files.slice(0, -1));
    expect(await verify(dir)).toMatchObject({ ok: true, records: 12 + files.length, tail: 0 });
  });

  it("gives two that open one directory at once a file each, and one key", async () => {
    const dir = await temporaryDirectory();
    const logs = await Promise.all([openLog({ dir }), openLog({ dir }), openLog({ dir })]);
    await Promise.all(logs.flatMap((log) => Array.from({ length: 20 }, (_, n) => log.append({ n }))));
    await Promise.all(logs.map((log) => log.close()));
    expect(await logFiles(dir)).toHaveLength(3);
    expect(await verify(dir)).toMatchObject({ ok: true, records: 63, attestation: "self" });
  });

  it("creates its key for the owner alone, and reports where", async () => {
    const dir = join(await temporaryDirectory(), "a", "b");
    const notices: string[] = [];
    const open = () => openLog({ dir, onNotice: (text) => notices.push(text) });
    await (await open()).close();
    await (await open()).close();
    expect((await stat(join(dir, "key"))).mode & 0o777).toBe(0o600);
    expect(notices).toEqual([expect.stringContaining(join(dir, "key"))]);
  });

  it("signs with a passed signer, and leaves no private key on disk", async () => {
    const dir = await temporaryDirectory();
    const signer = ed25519Signer(generatePrivateKey("example.com/support"));
    const log = await openLog({ dir, signer });
    await log.append({ n: 1 });
    await log.close();
    await expect(stat(join(dir, "key"))).rejects.toMatchObject({ code: "ENOENT" });
    const key = formatPublicKey(signer, nodeCryptography.sha256);
    expect(await verify(dir, { key })).toMatchObject({ ok: true, attestation: "key" });
  });

  it("rejects the batch of a signer that fails, and writes nothing of it", async () => {
    const dir = await temporaryDirectory();
    const signer = ed25519Signer(generatePrivateKey());
    let broken = true;
    const log = await openLog({
      dir,
      signer: {
        ...signer,
        sign: (m) => {
          if (broken) throw new Error("token is gone");
          return signer.sign(m);
        },
      },
    });
    await expect(log.append({ n: 1 })).rejects.toMatchObject({
      code: "ERR_AUDIT_SIGNING_FAILED",
      cause: { message: "token is gone" },
    });
    broken = false;
    await log.append({ n: 2 });
    await log.close();
    expect(await recordsOf(dir)).toEqual([expect.objectContaining({ type: "log" }), { n: 2 }]);
    expect(await verify(dir)).toMatchObject({ ok: true });
  });

  it("rejects with an AuditError where the directory cannot be made", async () => {
    const path = join(await temporaryDirectory(), "file");
    await writeFile(path, "");
    await expect(openLog({ dir: join(path, "log") })).rejects.toMatchObject({
      name: "AuditError",
      code: "ERR_AUDIT_WRITE_FAILED",
      cause: { code: "ENOTDIR" },
    });
  });

  it.each<[string, (good: Uint8Array) => unknown]>([
    ["64 zero bytes", () => new Uint8Array(64)],
    ["10 bytes", () => new Uint8Array(10)],
    ["text", () => "signed"],
    ["nothing", () => undefined],
    ["another key's signature", () => ed25519Signer(generatePrivateKey()).sign(new Uint8Array(8))],
    ["one with a changed bit", (good) => good.map((byte, at) => (at === 63 ? byte ^ 1 : byte))],
  ])("acknowledges nothing by a signer that gives %s, and goes on when it signs again", async (_, lie) => {
    const dir = await temporaryDirectory();
    const good = ed25519Signer(generatePrivateKey());
    let lies = false;
    const sign = async (message: Uint8Array) => {
      const signature = await good.sign(message);
      return (lies ? await lie(signature) : signature) as Uint8Array;
    };
    const log = await openLog({ dir, signer: { ...good, sign } });
    await log.append({ n: 1 });
    lies = true;
    await expect(log.append({ n: 2 })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_SIGNATURE" });
    lies = false;
    await log.append({ n: 3 });
    await log.close();
    expect(await verify(dir)).toMatchObject({ ok: true, records: 3 });
    expect((await recordsOf(dir)).map(({ n }) => n)).toEqual([undefined, 1, 3]);
  });

  it.each([
    ["type", { type: 2 }],
    ["length", { bytes: new Uint8Array(31) }],
  ])("refuses a signer whose public key has another %s", async (_, other) => {
    const signer = { ...ed25519Signer(generatePrivateKey()), ...other };
    const dir = await temporaryDirectory();
    await expect(openLog({ dir, signer })).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_KEY" });
    expect(await logFiles(dir)).toEqual([]);
  });

  it.each(["", "two words", "a+b", "x\ny"])("refuses %j as the name of a key", async (name) => {
    expect(() => generatePrivateKey(name)).toThrow(expect.objectContaining({ code: "ERR_AUDIT_INVALID_KEY" }));
  });
});
