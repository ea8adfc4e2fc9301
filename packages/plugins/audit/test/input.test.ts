import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import * as exporting from "../src/export.js";
import * as main from "../src/index.js";
import * as querying from "../src/query.js";
import * as verifying from "../src/verify.js";
import { testInputs } from "./inputs.js";
import { logFiles, temporaryDirectory } from "./support.js";

/** A log with records, and what the functions take besides. */
async function fixture() {
  const dir = await temporaryDirectory();
  const log = await main.openLog({ dir });
  const { file } = await log.append({ version: 1, id: "a", time: "2026-01-01T00:00:00Z", type: "tool" });
  await log.close();
  const keys = main.memorySubjectKeys();
  const proof = await querying.proveRecord(dir, { file, index: 1 });
  return { dir, file, keys, proof };
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
  exportRecords: ({ dir }) => [dir, "jsonl", { filter: { since: 0, type: "tool" }, onUnproven: () => {} }],
  exportTiles: ({ dir }) => [dir, join(dir, "tiles"), {}],
  proveRecord: ({ dir, file }) => [dir, { file, index: 1 }, {}],
  queryLog: ({ dir }) => [dir, { since: 0, values: [] }, {}],
  checkProof: ({ proof }) => [proof, ""],
  verifyFiles: () => [[], { everySignature: true, onProgress: () => {} }],
};

describe("input of audit", () => {
  testInputs({
    exported: { ...main, ...exporting, ...querying, ...verifying },
    functions,
    fixture,
    isExpected: main.AuditError.is.bind(main.AuditError),
    anyObject: ["canonicalJson", "decryptContent"],
    anyOption: ["hashedValue", "eraseSubject"],
  });

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
