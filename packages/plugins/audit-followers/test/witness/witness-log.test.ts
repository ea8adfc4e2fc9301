import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { openLog, verify } from "@suite/audit";
import { verifierKeyOfLog } from "@suite/audit/internal";
import { verifyFiles } from "@suite/audit/verify";
import { runHere as verifyHere } from "../../../audit/test/cli/run.js";
import { logFiles, temporaryDirectory } from "../../../audit/test/support.js";
import { keepWitnessed, witnessLog } from "../../src/witnesses.js";
import { runHere } from "../cli/run.js";
import { LittleWitness } from "./witness.js";

const started: LittleWitness[] = [];
afterAll(() => Promise.all(started.map((witness) => witness.close())));

async function witnessesOf(dir: string, count: number): Promise<readonly LittleWitness[]> {
  const all: LittleWitness[] = [];
  for (let n = 0; n < count; n++) {
    const witness = await LittleWitness.start(`witness.example/w${n}`);
    witness.know(await verifierKeyOfLog(dir));
    all.push(witness);
  }
  started.push(...all);
  return all;
}

const textOf = (witnesses: readonly LittleWitness[]): string => witnesses.map(({ line }) => `${line}\n`).join("");

async function written(dir: string, records = 3): Promise<string> {
  const log = await openLog({ dir });
  for (let n = 0; n < records; n++) await log.append({ n, time: new Date().toISOString() });
  await log.close();
  return (await logFiles(dir)).at(-1) ?? "";
}

/** A log that witnesses have seen three times. */
async function witnessed(count = 3) {
  const dir = await temporaryDirectory();
  await written(dir);
  const all = await witnessesOf(dir, count);
  const witnesses = textOf(all);
  for (let n = 0; n < 3; n++) {
    await written(dir);
    await witnessLog(dir, { witnesses });
  }
  return { dir, all, witnesses };
}

describe("witnesses", () => {
  it("cosign heads that go on from those they have seen, and hold all that any process had written", async () => {
    const { dir, all, witnesses } = await witnessed();
    for (const { answers } of all) expect(answers).toEqual([200, 200, 200]);
    await written(dir, 2);
    const verdict = await verify(dir, { witnesses: { keys: witnesses, policy: 2 } });
    expect(verdict).toMatchObject({ ok: true, attestation: "witness", problems: [] });
    expect(verdict.witnessed).toMatchObject({ policy: 2, of: 3, heads: 3 });
    expect(verdict.witnessed?.by.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    // What came after them: an opening record and two more.
    expect(verdict.size - verdict.anchored).toBe(3);
  });

  it("are heard by a policy: as many as are asked for", async () => {
    const { dir, all, witnesses } = await witnessed();
    await all[2]?.close();
    await written(dir);
    await expect(witnessLog(dir, { witnesses, timeoutMs: 5000 })).rejects.toMatchObject({
      code: "ERR_AUDIT_FOLLOWERS_WITNESS_FAILED",
      message: expect.stringContaining("2 of 3 witnesses cosigned. witness.example/w2 did not answer: ECONNREFUSED."),
    });
    const { by, failures } = await witnessLog(dir, { witnesses, policy: 2 });
    expect([by.length, failures.length]).toEqual([2, 1]);
    expect((await verify(dir, { witnesses: { keys: witnesses, policy: 2 } })).witnessed?.heads).toBe(5);
    expect((await verify(dir, { witnesses: { keys: witnesses } })).witnessed?.heads).toBe(3);
  });

  it("count only with their own keys, and only for what they signed", async () => {
    const { dir, witnesses } = await witnessed(2);
    const [stranger] = await witnessesOf(dir, 1);
    const keys = textOf(stranger ? [stranger] : []);
    const none = await verify(dir, { witnesses: { keys } });
    expect(none).toMatchObject({
      ok: false,
      attestation: "self",
      problems: [{ kind: "not_witnessed", file: "heads" }],
    });
    const path = join(dir, "heads", "000000000003.checkpoint");
    const note = await readFile(path, "utf8");
    // One byte of the last cosignature.
    const at = note.length - 20;
    await writeFile(path, note.slice(0, at) + (note[at] === "A" ? "B" : "A") + note.slice(at + 1));
    expect((await verify(dir, { witnesses: { keys: witnesses } })).witnessed?.heads).toBe(2);
    expect((await verify(dir, { witnesses: { keys: witnesses, policy: 1 } })).witnessed?.heads).toBe(3);
  });

  it("find what was cut off, removed or put in the place of what they saw, though the key signed it", async () => {
    const { dir, witnesses } = await witnessed(1);
    const policy = { keys: witnesses };
    const [first = "", ...files] = await logFiles(dir);
    const before = await readFile(join(dir, first), "utf8");
    await writeFile(join(dir, first), `${before.split("\n").slice(0, 3).join("\n")}\n`);
    expect((await verify(dir, { witnesses: policy })).problems).toContainEqual(
      expect.objectContaining({ kind: "file_shortened", file: first }),
    );
    await writeFile(join(dir, first), before);
    for (const file of files) await rm(join(dir, file));
    expect((await verify(dir)).ok).toBe(true);
    expect((await verify(dir, { witnesses: policy })).problems.map(({ kind }) => kind)).toContain("file_missing");
  });

  it("find heads that were changed or taken away behind them", async () => {
    const { dir, witnesses } = await witnessed(1);
    const policy = { keys: witnesses };
    const [leaf, other] = ["000000000001.leaf", "000000000002.leaf"].map((name) => join(dir, "heads", name));
    const text = await readFile(leaf ?? "", "utf8");
    await writeFile(leaf ?? "", await readFile(other ?? "", "utf8"));
    expect((await verify(dir, { witnesses: policy })).problems).toContainEqual(
      expect.objectContaining({ kind: "heads_altered", file: "heads/000000000003.checkpoint" }),
    );
    await writeFile(leaf ?? "", text);
    await rm(other ?? "");
    expect((await verify(dir, { witnesses: policy })).problems.map(({ kind }) => kind)).toContain("heads_altered");
    // The log says so itself when it asks again: the witness knows of more than is here.
    await rm(join(dir, "heads", "000000000001.leaf"));
    await expect(witnessLog(dir, { witnesses })).rejects.toMatchObject({
      code: "ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT",
    });
  });

  it("refuse another history of the same size, and of a greater one", async () => {
    for (const more of [0, 1]) {
      const { dir, witnesses, all } = await witnessed(1);
      await rm(join(dir, "heads"), { recursive: true });
      for (let n = 0; n < 2 + more; n++) await witnessLog(dir, { witnesses }).catch(() => {});
      await expect(witnessLog(dir, { witnesses })).rejects.toMatchObject({
        code: "ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT",
        message: expect.stringContaining("another history"),
      });
      expect(all[0]?.answers.at(-1)).toBe(422);
    }
  });

  it("that know another size are asked again from there", async () => {
    const { dir, witnesses, all } = await witnessed(1);
    for (const name of await readdir(join(dir, "heads"))) {
      if (name.endsWith(".checkpoint")) await rm(join(dir, "heads", name));
    }
    await witnessLog(dir, { witnesses });
    expect(all[0]?.answers.slice(3)).toEqual([409, 200]);
  });

  it("that answer nonsense, or with another key's cosignature, have not cosigned", async () => {
    const { dir, witnesses, all } = await witnessed(2);
    const [one, other] = all;
    if (!one || !other) throw new Error("two witnesses");
    for (const body of ["", "— x AAAA\n", "x".repeat(100_000), other.cosign("another text\n")]) {
      one.instead = { status: 200, body };
      await expect(witnessLog(dir, { witnesses })).rejects.toMatchObject({
        code: "ERR_AUDIT_FOLLOWERS_WITNESS_FAILED",
      });
    }
    one.instead = { status: 404, body: "" };
    await expect(witnessLog(dir, { witnesses })).rejects.toThrow(await verifierKeyOfLog(dir));
    expect((await verify(dir)).ok).toBe(true);
  });

  it("may be asked by several at once: each head is there once", async () => {
    const { dir, witnesses } = await witnessed(1);
    await Promise.allSettled(Array.from({ length: 4 }, () => witnessLog(dir, { witnesses })));
    const leaves = (await readdir(join(dir, "heads"))).filter((name) => name.endsWith(".leaf"));
    expect(leaves).toHaveLength(7);
    await witnessLog(dir, { witnesses });
    expect(await verify(dir, { witnesses: { keys: witnesses } })).toMatchObject({ ok: true, witnessed: { heads: 8 } });
  });

  it("date what they have seen: a thief of the key cannot date back", async () => {
    const { dir, witnesses } = await witnessed(1);
    const key = (await readFile(join(dir, "key.pub"), "utf8")).trim();
    const later = new Date(Date.now() + 5000).toISOString();
    const log = await openLog({ dir });
    await log.append({ time: "2020-01-01T00:00:00Z" });
    await log.close();
    const forged = (await logFiles(dir)).at(-1);
    const revoked = { key: `${key} revoked=${later}` };
    expect((await verify(dir, revoked)).problems).toEqual([]);
    expect((await verify(dir, { ...revoked, witnesses: { keys: witnesses } })).problems).toEqual([
      expect.objectContaining({ kind: "key_revoked", file: forged, index: 0 }),
    ]);
  });

  it("are the same to verifyFiles, given the folder's files by their names", async () => {
    const { dir, witnesses } = await witnessed(2);
    const heads = join(dir, "heads");
    const [files, more] = await Promise.all(
      [dir, heads].map(async (folder) =>
        Promise.all(
          (await readdir(folder))
            .filter((name) => /\.(jsonl|leaf|checkpoint|pub)$/.test(name))
            .map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
        ),
      ),
    );
    const options = { witnesses: { keys: witnesses } };
    const verdict = await verifyFiles([...(files ?? []), ...(more ?? [])], options);
    expect(verdict.attestation).toBe("witness");
    expect(verdict).toEqual(await verify(dir, options));
  });
});

describe("a schedule", () => {
  it("asks where something was written since, at once where it is told to, and holds up no append", async () => {
    const dir = await temporaryDirectory();
    await written(dir);
    const [witness] = await witnessesOf(dir, 1);
    if (!witness) throw new Error("a witness");
    const schedule = keepWitnessed(dir, { witnesses: witness.line, everyMs: 50, onError: () => {} });
    try {
      await schedule.now();
      const asked = witness.answers.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(witness.answers.length).toBe(asked);
      await written(dir);
      while (witness.answers.length === asked) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(witness.answers.every((status) => status === 200)).toBe(true);
    } finally {
      await schedule.close();
    }
    await expect(schedule.now()).rejects.toMatchObject({ code: "ERR_AUDIT_FOLLOWERS_CLOSED" });
  });
});

describe("suite-audit", () => {
  it("asks witnesses, tells the verifier key, and verifies by a policy", async () => {
    const dir = await temporaryDirectory();
    await written(dir);
    const { out: verifierKey } = await runHere("witness", [dir, "--verifier-key"]);
    const witness = await LittleWitness.start("witness.example/w");
    started.push(witness);
    const file = join(await temporaryDirectory(), "witnesses");
    await writeFile(file, `# ours\n${witness.line}\n`);
    expect(await runHere("witness", [dir, "--witnesses", file])).toMatchObject({
      code: 1,
      err: expect.stringContaining(verifierKey.trim()),
    });
    witness.know(verifierKey.trim());
    expect(await runHere("witness", [dir, "--witnesses", file])).toMatchObject({
      code: 0,
      out: expect.stringContaining("cosigned: witness.example/w, 20"),
    });
    const { code, out } = await verifyHere(["verify", dir, "--witnesses", file, "--policy", "1"]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("Cosigned by 1 of 1 witnesses on 20") });
    expect((await verifyHere(["verify", dir, "--witnesses", file, "--policy", "2"])).code).toBe(2);
    await rm(join(dir, "heads"), { recursive: true });
    expect(await verifyHere(["verify", dir, "--witnesses", file])).toMatchObject({
      code: 1,
      out: expect.stringContaining("not_witnessed"),
    });
  });
});
