import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import * as exporting from "../src/export.js";
import * as followers from "../src/followers.js";
import * as main from "../src/index.js";
import * as querying from "../src/query.js";
import * as verifying from "../src/verify.js";
import { logFiles, temporaryDirectory } from "./support.js";

type Outcome = "returned" | "AuditError" | string;

/** Calls a function and reports how it ended; a generator is read to its end, and what was opened is closed. */
async function outcomeOf(call: () => unknown): Promise<Outcome> {
  try {
    const value = await call();
    if (typeof value === "object" && value !== null && Symbol.asyncIterator in value) {
      for await (const _ of value as AsyncIterable<unknown>);
    }
    const { close } = (value ?? {}) as { close?: () => unknown };
    if (typeof close === "function") await close.call(value);
    return "returned";
  } catch (error) {
    return main.AuditError.is(error) ? "AuditError" : String(error);
  }
}

/** Codes of the file system for a path that does not exist, or exists already. */
const fileSystem = /ENOENT|EEXIST/;

/** Values of every type. A string is a path in the folder of the test: some functions would write to it. */
const junkIn = (dir: string): readonly unknown[] => [
  join(dir, "other"),
  null,
  "",
  5,
  Number.NaN,
  true,
  [],
  [1],
  () => {},
  Symbol("s"),
  10n,
  new Date(0),
];

/** A log with records, and what the functions take besides. */
async function fixture() {
  const dir = await temporaryDirectory();
  const log = await main.openLog({ dir });
  const { file } = await log.append({ version: 1, id: "a", time: "2026-01-01T00:00:00Z", type: "tool" });
  await log.close();
  const keys = main.memorySubjectKeys();
  const target: followers.FollowerTarget = { name: "test", deliver: async () => {}, close: async () => {} };
  const proof = await querying.proveRecord(dir, { file, index: 1 });
  return { dir, file, keys, target, proof };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Valid arguments of every exported function that takes input. */
const functions: Readonly<Record<string, (given: Fixture) => readonly unknown[]>> = {
  openLog: ({ dir }) => [{ dir, maxFileBytes: 1000, maxQueuedBytes: 1000, onNotice: () => {} }],
  fileSink: ({ dir }) => [{ dir, maxFileBytes: 1000, maxQueuedBytes: 1000, onNotice: () => {} }],
  anchorLog: ({ dir }) => [dir, {}],
  audit: () => [{ timeoutMs: 5000, bufferBytes: 1000, policy: {}, warn: () => {} }],
  canonicalJson: () => [{ a: 1 }],
  hashedValue: () => [main.valueKey("a secret of some length"), "value"],
  valueKey: () => ["a secret of some length"],
  readValueKey: ({ dir }) => [join(dir, "key.pub")],
  retain: ({ dir }) => [dir, { olderThanDays: 400, minimumDays: 200, force: false, dryRun: true, keep: () => false }],
  ed25519Signer: () => [main.generatePrivateKey("test")],
  generatePrivateKey: () => ["test"],
  decryptContent: ({ keys }) => [{ id: "a" }, keys],
  eraseSubject: ({ keys }) => ["ada", keys, { append: async () => ({ index: 0, file: "" }) }],
  fileSubjectKeys: ({ dir }) => [{ dir: join(dir, "subjects"), recheckMs: 1, maxCached: 1 }],
  memorySubjectKeys: () => [],
  subjectKid: () => [new Uint8Array(32)],
  verify: ({ dir }) => [dir, { anchor: [], everySignature: true, onProgress: () => {} }],
  keepWitnessed: ({ dir }) => [dir, { witnesses: "", everyMs: 100_000, timeoutMs: 1, onError: () => {} }],
  witnessLog: ({ dir }) => [dir, { witnesses: "", timeoutMs: 1 }],
  exportRecords: ({ dir }) => [dir, "jsonl", { filter: { since: 0, type: "tool" }, onUnproven: () => {} }],
  exportTiles: ({ dir }) => [dir, join(dir, "tiles"), {}],
  follow: ({ dir, target }) => [dir, target, { pollMs: 1000, batchBytes: 1000, onError: () => {} }],
  followAll: ({ dir, target }) => [dir, [target], { pollMs: 1000, batchBytes: 1000, onError: () => {} }],
  otlpLogs: () => [{ url: "https://localhost:1", headers: {}, resource: {}, timeoutMs: 1 }],
  postgres: () => [{ connectionString: "postgres://localhost/x", table: "x", timeoutMs: 1 }],
  syslog: () => [{ url: "tls://localhost:1", facility: 13, appName: "x", timeoutMs: 1, tls: {} }],
  proveRecord: ({ dir, file }) => [dir, { file, index: 1 }, {}],
  queryLog: ({ dir }) => [dir, { since: 0, values: [] }, {}],
  checkProof: ({ proof }) => [proof, ""],
  verifyFiles: () => [[], { everySignature: true, onProgress: () => {} }],
};

const exported = { ...main, ...exporting, ...followers, ...querying, ...verifying } as unknown as Readonly<
  Record<string, (...args: unknown[]) => unknown>
>;
/** Returns true for an exported function that is not a class. */
const isFunction = (name: string): boolean => typeof exported[name] === "function" && !/^[A-Z]/.test(name);

const isOptions = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

describe("input of audit", () => {
  it("is covered here for every exported function", () => {
    expect(Object.keys(functions).sort()).toEqual(Object.keys(exported).filter(isFunction).sort());
  });

  it.each(Object.keys(functions))(
    "%s reports invalid arguments and options by an AuditError, never a raw error",
    async (name) => {
      const given = await fixture();
      const call = exported[name] as (...args: unknown[]) => unknown;
      const valid = functions[name]?.(given) ?? [];
      const wrong: Record<string, Outcome> = {};
      const refuse = async (label: string, args: readonly unknown[]): Promise<void> => {
        const outcome = await outcomeOf(() => call(...args));
        if (outcome !== "AuditError" && outcome !== "returned" && !fileSystem.test(outcome)) wrong[label] = outcome;
      };
      for (const [at, argument] of valid.entries()) {
        for (const value of junkIn(given.dir)) await refuse(`argument ${at}: ${String(value)}`, valid.with(at, value));
        if (!isOptions(argument) || name === "canonicalJson" || name === "decryptContent") continue;
        for (const option of Object.keys(argument)) {
          for (const value of junkIn(given.dir))
            await refuse(`${option}: ${String(value)}`, valid.with(at, { ...argument, [option]: value }));
        }
      }
      expect(wrong).toEqual({});
      expect(await main.verify(given.dir)).toMatchObject({ ok: true });
    },
    60_000,
  );

  it.each(
    Object.keys(functions).filter(
      (name) => !["canonicalJson", "decryptContent", "hashedValue", "eraseSubject"].includes(name),
    ),
  )(
    "%s refuses an option that does not exist, and changes nothing",
    async (name) => {
      const given = await fixture();
      const call = exported[name] as (...args: unknown[]) => unknown;
      const valid = functions[name]?.(given) ?? [];
      const before = await readdir(given.dir);
      for (const [at, argument] of valid.entries()) {
        if (!isOptions(argument) || (argument as unknown) === given.target) continue;
        const args = valid.with(at, { ...argument, optoin: 1 });
        expect([at, await outcomeOf(() => call(...args))]).toEqual([at, "AuditError"]);
      }
      expect(await readdir(given.dir)).toEqual(before);
    },
    60_000,
  );

  it.each(["text", '"quoted"', 5, null, true, undefined, [], [1], () => {}, Symbol("s"), 10n, new Date(0), Number.NaN])(
    "append refuses %p, and all that is acknowledged before and after it is proven",
    async (record) => {
      const dir = await temporaryDirectory();
      const log = await main.openLog({ dir });
      const appended = [log.append({ n: 1 })];
      await expect(log.append(record as never)).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_RECORD" });
      const between = log.append(record as never);
      appended.push(log.append({ n: 2 }));
      await expect(between).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_RECORD" });
      await Promise.all(appended);
      await log.append({ n: 3 });
      await log.close();
      expect(await main.verify(dir)).toMatchObject({ ok: true, records: 4, problems: [] });
      expect(await logFiles(dir)).toHaveLength(1);
    },
  );

  it("append refuses a record whose getter throws with that error, and queues nothing of it", async () => {
    const dir = await temporaryDirectory();
    const log = await main.openLog({ dir, maxQueuedBytes: 2000 });
    const own = new Error("own");
    const record = {
      get n(): number {
        throw own;
      },
    };
    for (let n = 0; n < 20; n++) await expect(log.append(record)).rejects.toBe(own);
    await log.append({ n: 1 });
    await log.close();
    expect(await main.verify(dir)).toMatchObject({ ok: true, records: 2 });
  });
});
