import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "@jest/globals";
import { fileSink, type Sink, verify } from "../../src/index.js";
import { modelRequest, reply, scenario, toolRequest } from "../scenario.js";
import { logFiles, recordsOf } from "../support.js";
import { onSmallDisk, smallDisk } from "./small-disk.js";

/** Longer than a test may take: what ended did not wait for it. */
const TIMEOUT_MS = 60_000;
/** More than fit in the last page of a file. */
const CALLS = 40;

/** An agent on a small disk, whose first call has gone well. */
async function agent(options: Parameters<typeof scenario>[0] = {}) {
  const disk = smallDisk();
  const file = fileSink({ dir: disk.dir });
  let failed = 0;
  const sink: Sink = {
    append(record) {
      const appended = file.append(record);
      appended.catch(() => failed++);
      return appended;
    },
    close: () => file.close(),
  };
  const { act, stack } = await scenario({ sink, timeoutMs: TIMEOUT_MS, ...options });
  let ran = 0;
  const tool = () =>
    act("tool", toolRequest, async (c) => {
      ran++;
      c.respond({ value: 1 });
    });
  const model = () => act("model", modelRequest, async (c) => c.respond({ value: reply }));
  /** Waits until more than so many records could not be written. */
  const untilFailed = async (count: number): Promise<void> => {
    while (failed <= count) await sleep(5);
  };
  return { ...disk, stack, tool, model, ran: () => ran, untilFailed };
}

/** The number of records of a type, and the number that gaps count. */
async function counts(dir: string, type: string) {
  const records = await recordsOf(dir);
  const gaps = records.flatMap((record) => (record.type === "gap" ? [record.details as { records: number }] : []));
  return {
    kept: records.filter((record) => record.type === type).length,
    lost: gaps.reduce((sum, gap) => sum + gap.records, 0),
  };
}

describe("a full disk", () => {
  onSmallDisk("stops required acts at once, and lets them go on when there is room", async () => {
    const { dir, fill, free, stack, tool, ran } = await agent();
    expect(await tool()).toBe(1);
    await fill();
    const ends = [];
    for (let n = 0; n < CALLS; n++) ends.push(await tool());
    const refused = ends.filter((end) => end !== 1);
    expect(refused.length).toBeGreaterThan(CALLS / 2);
    for (const end of refused)
      expect(end).toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE", cause: { code: "ERR_AUDIT_WRITE_FAILED" } });
    expect(ran()).toBe(1 + CALLS - refused.length);
    await free();
    expect(await tool()).toBe(1);
    await stack.close();
    const records = await recordsOf(dir);
    const told = (stage: string, status?: string) =>
      records.filter((record) => record.stage === stage && (record.outcome as { status?: string })?.status === status);
    // Those that ran have an intent; those that were refused have at least their end.
    expect(told("intent")).toHaveLength(ran());
    expect(told("outcome", "completed")).toHaveLength(ran());
    expect(told("outcome", "failed")).toHaveLength(refused.length);
    expect(await verify(dir)).toMatchObject({ ok: true, tail: 0 });
    expect(await logFiles(dir)).toHaveLength(1);
  });

  onSmallDisk(
    "lets buffered acts go on, keeps what fits into memory, and counts the rest in a gap record",
    async () => {
      const bufferBytes = 20_000;
      const { dir, fill, free, stack, model } = await agent({ bufferBytes });
      await model();
      await fill();
      for (let n = 0; n < CALLS; n++) expect(await model()).toEqual(reply);
      await free();
      expect(await model()).toEqual(reply);
      await stack.close();
      const { kept, lost } = await counts(dir, "model");
      expect(lost).toBeGreaterThan(0);
      expect(kept + lost).toBe(2 * (1 + CALLS + 1));
      expect(await verify(dir)).toMatchObject({ ok: true, tail: 0 });
      expect(await logFiles(dir)).toHaveLength(1);
    },
  );

  onSmallDisk(
    "lets best-effort acts go on, tries each record once, and counts the others in a gap record",
    async () => {
      const { dir, fill, free, stack, tool, untilFailed } = await agent({ policy: { delivery: "best-effort" } });
      await tool();
      await fill();
      for (let n = 0; n < CALLS; n++) expect(await tool()).toBe(1);
      await untilFailed(CALLS);
      await free();
      await stack.close();
      const { kept, lost } = await counts(dir, "tool");
      expect(lost).toBeGreaterThan(CALLS);
      expect(kept + lost).toBe(2 * (1 + CALLS));
      expect(await verify(dir)).toMatchObject({ ok: true, tail: 0 });
    },
  );

  onSmallDisk("from the start: nothing is left behind by each try, and it begins when there is room", async () => {
    const { dir, fill, free, stack, tool, ran } = await agent();
    await fill();
    for (let n = 0; n < 10; n++) expect(await tool()).toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE" });
    expect(ran()).toBe(0);
    await free();
    expect(await tool()).toBe(1);
    await stack.close();
    expect((await readdir(dir)).filter((name) => !name.endsWith(".jsonl")).sort()).toEqual(["id", "key", "key.pub"]);
    expect(await logFiles(dir)).toHaveLength(1);
    expect(await verify(dir)).toMatchObject({ ok: true, tail: 0 });
  });
});
