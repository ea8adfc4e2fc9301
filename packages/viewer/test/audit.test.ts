import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openLog } from "@suite/audit";
import { checkProof } from "@suite/audit/verify";
import type { RecordProof, RunLog } from "../src/run/audit.js";
import { ask, folder, requestOf, send, span, viewer } from "./support.js";

/** A log of these records behind the one that opens it, and a viewer that shows it beside the spans of one run. */
async function shownLog(records: readonly object[], of = span({ attributes: { "suite.run.id": "r-1" } })) {
  const dir = await folder();
  if (records.length > 0) {
    const log = await openLog({ dir });
    for (const record of records) await log.append(record);
    await log.close();
  }
  const shown = await viewer({ audit: dir });
  await send(shown, requestOf(of));
  const logOf = async () => (await (await ask(shown, `/api/audit/${of.traceId}`)).json()) as RunLog;
  const file = async () => (await readdir(dir)).find((name) => name.endsWith(".jsonl")) ?? "";
  return { shown, dir, logOf, file };
}

const record = (n: number, more: object = {}) => ({
  ...{ version: 1, id: `id-${n}`, time: new Date(1_700_000_000_000 + n).toISOString(), stage: "outcome" },
  ...{ type: "tool", operation: "execute_tool", runId: "r-1", target: { name: "refund" } },
  ...more,
});

describe("the audit log of a run", () => {
  it("has the run's records in their order, and no others, and says that the log is verified", async () => {
    const { logOf } = await shownLog([record(1), record(2, { runId: "r-2" }), record(3, { decision: "approved" })]);
    expect(await logOf()).toMatchObject({
      records: [
        { index: 1, proven: true, type: "tool", operation: "execute_tool", target: "refund", status: "outcome" },
        { index: 3, proven: true, decision: "approved" },
      ],
      verdict: { found: "verified", attestation: "self", size: 4, files: 1, problems: [] },
      more: false,
    });
  });

  it("is found by its trace where its spans name no run", async () => {
    const of = span();
    const { logOf } = await shownLog([record(1, { traceId: of.traceId }), record(2, { traceId: "other" })], of);
    expect((await logOf()).records.map(({ index }) => index)).toEqual([1]);
  });

  it("says so of a run without records, and of a folder without a log", async () => {
    const { logOf } = await shownLog([record(1, { runId: "r-2" })]);
    expect(await logOf()).toMatchObject({ records: [], verdict: { found: "verified" } });
    const none = await shownLog([]);
    expect(await none.logOf()).toEqual({ records: [], problem: expect.stringContaining("contains no log") });
    await rm(none.dir, { recursive: true });
    expect(await none.logOf()).toEqual({ records: [], problem: expect.stringContaining("cannot be read") });
  });

  it("marks records after the last signature, and records after damage", async () => {
    const { logOf, dir, file } = await shownLog([record(1), record(2)]);
    const path = join(dir, await file());
    await appendFile(path, `${JSON.stringify(record(3))}\n`);
    const added = await logOf();
    expect(added.records.map(({ proven }) => proven)).toEqual([true, true, false]);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"id":"id-1"', '"id":"id-9"'));
    const damaged = await logOf();
    expect(damaged.verdict).toMatchObject({ found: "damaged", problems: [expect.stringContaining("record_altered")] });
    expect(damaged.records.map(({ proven }) => proven)).toEqual([false, false, false]);
  });

  it("gives the proof of a record and the keys, by which others check it, and none of a damaged one", async () => {
    const { shown, dir, file } = await shownLog([record(1), record(2)]);
    const name = await file();
    const proofOf = async (of: string, index: number | string) => {
      const response = await ask(shown, `/api/proof?file=${encodeURIComponent(of)}&index=${index}`);
      return response.status === 200 ? ((await response.json()) as RecordProof) : response.status;
    };
    const given = (await proofOf(name, 1)) as { readonly proof: string; readonly keys: string };
    expect(await checkProof(given.proof, given.keys)).toMatchObject({ holds: true, index: 1, size: 3, file: name });
    for (const [of, index] of [
      [name, 3],
      ["../../etc/passwd", 0],
      ["key", 0],
      [name.replace(/\d/, "9"), 0],
    ] as const)
      expect(await proofOf(of, index)).toEqual({ problem: expect.stringMatching(/\w/) });
    expect(await proofOf(name, "x")).toBe(404);
    await writeFile(join(dir, name), (await readFile(join(dir, name), "utf8")).replace("id-1", "id-9"));
    expect(await proofOf(name, 1)).toEqual({ problem: expect.stringContaining("does not match its last") });
  });

  it("is not available if no folder was configured", async () => {
    const shown = await viewer();
    const of = span();
    await send(shown, requestOf(of));
    expect((await ask(shown, `/api/audit/${of.traceId}`)).status).toBe(404);
    expect((await ask(shown, "/api/proof?file=x&index=0")).status).toBe(404);
  });
});
