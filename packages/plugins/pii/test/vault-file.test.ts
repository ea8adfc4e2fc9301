import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "@jest/globals";
import { createRedactor, type Vault } from "@suite/pii";
import { fileVault } from "@suite/pii/node";

const folder = mkdtempSync(join(tmpdir(), "vault-"));
afterAll(() => rmSync(folder, { recursive: true }));
const key = randomBytes(32);
const failed = expect.objectContaining({ code: "ERR_PII_VAULT_FAILED" });
const id = (vault: Vault, value: string, session = "s") => vault.id(session, "EMAIL", value);

let directories = 0;
const directory = (): string => join(folder, String(++directories));
const filesIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.endsWith(".vault"));
const fileIn = (dir: string): string => join(dir, filesIn(dir)[0] ?? "none");
const linesOf = (file: string): string[] => readFileSync(file, "latin1").split("\n").filter(Boolean);

interface Given {
  readonly value: string;
  readonly token: string;
  readonly id: { readonly label: string; readonly number: number; readonly tag: string };
  readonly back?: string;
}
const writer = join(import.meta.dirname, "fixtures", "vault-writer.mjs");
const parse = (printed: string): Given[] =>
  printed
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Given);
/** Another process that asks for the tokens of values. */
const write = async (dir: string, values: number): Promise<Given[]> => {
  const args = [writer, dir, key.toString("hex"), "s", String(values)];
  return parse((await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 })).stdout);
};

describe("a vault in files", () => {
  it("gives the same token to all who share it, and values back to all", () => {
    const dir = directory();
    const [one, two] = [fileVault({ dir, key }), fileVault({ dir, key })];
    const a = id(one, "a");
    expect(id(two, "a")).toEqual(a);
    const b = id(two, "b");
    const c = id(one, "c");
    expect([b.number, c]).toEqual([2, { ...a, number: 3 }]);
    expect(one.value("s", b)).toBe("b");
    expect(fileVault({ dir, key }).value("s", c)).toBe("c");
    expect(two.value("t", a)).toBeUndefined();
    expect(one.value("s", { ...a, tag: "bcdfghjk" })).toBeUndefined();
    expect(id(one, "a", "t").tag).not.toBe(a.tag);
    expect(two.id("s", "IP", "a")).toMatchObject({ label: "IP", number: 1 });
  });

  it("serves a redactor at once, any text too", () => {
    const text = "N'\"\\\n😀 \ud83d ü'";
    const redactor = createRedactor(
      { note: { recognizer: /N'[^']*'/, maxLength: 60, strategy: "tokenize" } },
      { vault: fileVault({ dir: directory(), key }), session: "s" },
    );
    expect(redactor.restore(redactor.redact(`so ${text} it is`))).toBe(`so ${text} it is`);
  });

  it("has no value and no session in plain on disk, is for its owner alone, and seals the same value differently each time", () => {
    const dir = directory();
    const vault = fileVault({ dir, key });
    id(vault, "jane.doe@example.com", "session of jane");
    id(vault, "jane.doe@example.com", "t");
    const all = readdirSync(dir).map((name) => name + readFileSync(join(dir, name), "latin1"));
    const decoded = all.flatMap((text) =>
      text.split("\n").map((line) => Buffer.from(line, "base64url").toString("latin1")),
    );
    for (const text of [...all, ...decoded]) expect(text).not.toMatch(/jane|EMAIL|label/);
    expect(new Set(filesIn(dir).map((name) => linesOf(join(dir, name)).at(-1))).size).toBe(2);
    if (process.platform !== "win32") {
      expect(statSync(dir).mode & 0o77).toBe(0);
      for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o77).toBe(0);
    }
  });

  it("forgets a session for all who share it, and starts it again with another tag", () => {
    const dir = directory();
    const [one, two] = [fileVault({ dir, key }), fileVault({ dir, key })];
    const a = id(one, "a");
    expect(two.value("s", a)).toBe("a");
    const kept = id(one, "a", "t");
    one.erase("s");
    one.erase("never there");
    expect(filesIn(dir)).toHaveLength(1);
    expect([one.value("s", a), two.value("s", a)]).toEqual([undefined, undefined]);
    const again = id(two, "b");
    expect(again.number).toBe(1);
    expect(again.tag).not.toBe(a.tag);
    expect(one.value("s", a)).toBeUndefined();
    expect(one.value("s", again)).toBe("b");
    expect(two.value("t", kept)).toBe("a");
  });

  it("keeps a value whose session is erased while it is written", () => {
    const dir = directory();
    const [one, two] = [fileVault({ dir, key }), fileVault({ dir, key })];
    id(one, "a");
    let reads = 0;
    // Looked up, looked up again with the file open, and then written.
    const toJSON = (): string => {
      reads++;
      if (reads === 3) two.erase("s");
      return "b";
    };
    const value = { toJSON } as unknown as string;
    const b = id(one, value);
    expect(reads).toBeGreaterThan(3);
    expect([one.value("s", b), two.value("s", b)]).toEqual(["b", "b"]);
  });

  it("refuses a new value when a session is full", () => {
    const vault = fileVault({ dir: directory(), key, maxPerSession: 1 });
    const a = id(vault, "a");
    expect(() => id(vault, "b")).toThrow(expect.objectContaining({ code: "ERR_PII_VAULT_FULL" }));
    expect(id(vault, "a")).toEqual(a);
    expect(id(vault, "b", "t").number).toBe(1);
  });

  it("erases sessions that were not used for its ttl, and keeps used ones", () => {
    const dir = directory();
    const first = fileVault({ dir, key, ttl: 60_000 });
    const a = id(first, "a");
    const path = fileIn(dir);
    const old = new Date(Date.now() - 50_000);
    utimesSync(path, old, old);
    expect(first.value("s", a)).toBe("a");
    expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(10_000);
    const older = new Date(Date.now() - 70_000);
    utimesSync(path, older, older);
    id(fileVault({ dir, key, ttl: 60_000 }), "x", "t");
    expect(first.value("s", a)).toBeUndefined();
  });

  it("serves more sessions than it keeps open", () => {
    const dir = directory();
    const vault = fileVault({ dir, key });
    const ids = Array.from({ length: 300 }, (_, n) => id(vault, `value ${n}`, `session ${n}`));
    for (const [n, given] of ids.entries()) expect(vault.value(`session ${n}`, given)).toBe(`value ${n}`);
  });
});

describe("a file that is damaged", () => {
  const kept = (): { dir: string; file: string; ids: ReturnType<typeof id>[] } => {
    const dir = directory();
    const vault = fileVault({ dir, key });
    const ids = ["a", "b", "c"].map((value) => id(vault, value));
    return { dir, file: fileIn(dir), ids };
  };
  const valuesIn = (dir: string, ids: readonly ReturnType<typeof id>[]): unknown[] => {
    const vault = fileVault({ dir, key });
    return ids.map((one) => vault.value("s", one));
  };

  it("drops a truncated entry, and adds new values after it", () => {
    const { dir, file, ids } = kept();
    const whole = readFileSync(file);
    for (let length = whole.length - 1; length > whole.length - 60; length -= 7) {
      writeFileSync(file, whole.subarray(0, length));
      const vault = fileVault({ dir, key });
      const d = id(vault, "d");
      expect(vault.value("s", d)).toBe("d");
      expect(valuesIn(dir, ids.slice(0, 2))).toEqual(["a", "b"]);
      expect([undefined, "c"]).toContain(valuesIn(dir, ids)[2]);
    }
  });

  it("never gives another value for a token: not for lines that were changed, swapped, doubled or taken from elsewhere", () => {
    const { dir, file, ids } = kept();
    const lines = linesOf(file);
    const [a = "", b = "", c = ""] = lines;
    const put = (...all: string[]): void => writeFileSync(file, `${all.join("\n")}\n`);
    put(c, b, a);
    expect(valuesIn(dir, ids)).toEqual(["a", "b", "c"]);
    put(a, a, c);
    expect(valuesIn(dir, ids)).toEqual(["a", undefined, "c"]);
    for (let at = 0; at < b.length; at += 5) {
      put(a, b.slice(0, at) + (b[at] === "A" ? "B" : "A") + b.slice(at + 1), c);
      expect(valuesIn(dir, ids)).toEqual(["a", undefined, "c"]);
    }
    id(fileVault({ dir, key }), "foreign", "t");
    const other = join(dir, filesIn(dir).find((name) => !file.endsWith(name)) ?? "");
    put(...linesOf(other), b);
    expect(valuesIn(dir, ids)).toEqual([undefined, "b", undefined]);
    writeFileSync(other, readFileSync(file));
    expect(fileVault({ dir, key }).value("t", ids[1] as (typeof ids)[number])).toBeUndefined();
    appendFileSync(file, "garbage\n\u0000\n");
    expect(valuesIn(dir, ids)[1]).toBe("b");
  });
});

describe("invalid input", () => {
  const bad = expect.objectContaining({ code: "ERR_PII_INVALID_RULE" });

  it("is refused: another key's directory, a key of another length, no directory", () => {
    const dir = directory();
    id(fileVault({ dir, key }), "a");
    expect(() => fileVault({ dir, key: randomBytes(32) })).toThrow(failed);
    expect(() => fileVault({ dir: directory(), key: randomBytes(16) })).toThrow(bad);
    expect(() => fileVault({ dir: directory(), key: "0".repeat(32) as never })).toThrow(bad);
    expect(() => fileVault({ dir: directory(), key, maxPerSession: -1 })).toThrow(bad);
    writeFileSync(join(folder, "file"), "");
    expect(() => fileVault({ dir: join(folder, "file", "x"), key })).toThrow(failed);
  });

  it("is told without values, with the cause", () => {
    const dir = directory();
    const vault = fileVault({ dir, key });
    rmSync(dir, { recursive: true });
    let caught: unknown;
    try {
      id(vault, "jane.doe@example.com");
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ code: "ERR_PII_VAULT_FAILED", cause: { code: "ENOENT" } });
    expect(`${caught} ${(caught as Error).stack} ${(caught as Error).cause}`).not.toContain("jane");
  });
});

describe("processes that share a directory", () => {
  it("have the same token for the same value, and no token for two, in whatever order they ask", async () => {
    const dir = directory();
    const all = (await Promise.all([write(dir, 300), write(dir, 300), write(dir, 200)])).flat();
    expect(all).toHaveLength(800);
    const tokens = new Map<string, Set<string>>();
    for (const { value, token, back } of all) {
      expect(back).toBe(value);
      tokens.set(value, (tokens.get(value) ?? new Set()).add(token));
    }
    expect(tokens.size).toBe(300);
    for (const own of tokens.values()) expect(own.size).toBe(1);
    expect(new Set([...tokens.values()].flatMap((own) => [...own])).size).toBe(300);
    const vault = fileVault({ dir, key });
    for (const { value, id: given } of all) expect(vault.value("s", given)).toBe(value);
  }, 60_000);

  it("lose no token that was given, however they are killed", async () => {
    const dir = directory();
    const given: Given[] = [];
    for (let kill = 0; kill < 12; kill++) {
      const child = spawn(process.execPath, [writer, dir, key.toString("hex"), "s", "9000"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let printed = "";
      child.stdout.on("data", (text: Buffer) => {
        printed += text.toString();
      });
      const ended = once(child, "close");
      await Promise.race([once(child.stdout, "data"), ended]);
      await sleep(Math.random() * 40);
      child.kill("SIGKILL");
      await ended;
      given.push(...parse(printed));
    }
    expect(given.length).toBeGreaterThan(12);
    const vault = fileVault({ dir, key });
    expect(given.filter((one) => vault.value("s", one.id) !== one.value)).toEqual([]);
    const distinct = new Map(given.map((one) => [one.value, one.token]));
    expect(new Set(distinct.values()).size).toBe(distinct.size);
  }, 120_000);

  it("never get another value for a token while one of them erases the session again and again", async () => {
    const dir = directory();
    const eraser = spawn(process.execPath, [writer, dir, key.toString("hex"), "s", "erase"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(eraser, "close");
    let all: Given[];
    try {
      await once(eraser.stdout, "data");
      all = (await Promise.all([write(dir, 150), write(dir, 150)])).flat();
    } finally {
      eraser.kill("SIGKILL");
      await ended;
    }
    expect(all).toHaveLength(300);
    for (const { value, back } of all) if (back !== undefined) expect(back).toBe(value);
    const vault = fileVault({ dir, key });
    for (const { value, id: given } of all) {
      const back = vault.value("s", given);
      if (back !== undefined) expect(back).toBe(value);
    }
  }, 60_000);
});
