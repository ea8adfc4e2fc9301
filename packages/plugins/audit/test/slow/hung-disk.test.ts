import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, describe, expect } from "@jest/globals";
import { runs } from "../../../../../scripts/runs.mjs";
import { verify } from "../../src/index.js";
import { fixture } from "../durability/proof.js";
import { attach, traced } from "../faults/strace.js";
import { recordsOf, temporaryDirectory } from "../support.js";

const TIMEOUT_MS = 300;
const BUFFER_BYTES = 1024 * 1024;
/** The most that so many bytes of records take, as objects and as lines, required and others. */
const MOST_BYTES = 16 * BUFFER_BYTES;
/** The disk hangs for ten minutes: what is here sooner did not wait for it. */
const HANGS = "inject=fdatasync:delay_enter=600000000";
const SOON_MS = 30_000;
/** The time for what is written once the disk goes on: a machine that is busy takes longer than a test of refusals may wait. */
const PATIENT_MS = 20_000;

interface Answer {
  readonly ran: number;
  readonly codes: readonly string[];
  readonly slowest: number;
  readonly bytes: number;
}

const begun: (() => unknown)[] = [];
afterEach(() => {
  for (const end of begun.splice(0)) end();
});

/** A process with the plugin (`agent.mjs`) whose disk can be made to hang. It has made one tool call. */
async function agent(timeoutMs = TIMEOUT_MS) {
  const dir = await temporaryDirectory();
  const options = JSON.stringify({ timeoutMs, bufferBytes: BUFFER_BYTES });
  const child = spawn(process.execPath, ["--expose-gc", fixture("agent.mjs"), dir, options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  begun.push(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = async (what: string): Promise<Answer> => {
    child.stdin.write(`${what}\n`);
    return JSON.parse((await lines.next()).value ?? "null") as Answer;
  };
  await say("tool 1");
  return {
    dir,
    say,
    async hang() {
      const tracer = await attach(child.pid ?? 0, ["-o", "/dev/null", "-e", "trace=fdatasync", "-e", HANGS]);
      begun.unshift(tracer.kill);
      return tracer;
    },
    end: async () => {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

describe("a disk that hangs", () => {
  traced("stops required acts in time, and lets others go on", async () => {
    const { say, hang } = await agent();
    const disk = await hang();
    const tools = await say("tool 20");
    expect(tools).toMatchObject({ ran: 0, codes: ["ERR_AUDIT_UNAVAILABLE"] });
    expect(tools.slowest).toBeGreaterThanOrEqual(TIMEOUT_MS);
    expect(tools.slowest).toBeLessThan(SOON_MS);
    const models = await say("model 20");
    expect(models).toMatchObject({ ran: 20, codes: [] });
    expect(models.slowest).toBeLessThan(SOON_MS);
    await disk.release();
  });

  traced(
    "takes no more memory than it may, however many calls are made",
    async () => {
      const { say, hang } = await agent();
      const disk = await hang();
      const { bytes: before } = await say("model 10");
      let after = before;
      for (let time = 0; time < runs(12); time++) {
        await say("model 500");
        after = Math.max(after, (await say("tool 500")).bytes);
      }
      expect(after - before).toBeLessThan(MOST_BYTES);
      await disk.release();
    },
    600_000,
  );

  traced("does not keep `close` from ending", async () => {
    const { say, hang } = await agent();
    const disk = await hang();
    await say("model 5");
    const closed = await say("close");
    expect(closed).toMatchObject({ codes: ["ERR_AUDIT_UNAVAILABLE"] });
    expect(closed.slowest).toBeLessThan(SOON_MS);
    await disk.release();
  });

  traced("goes on when it comes loose: what waited is written, and a gap record counts what was lost", async () => {
    const { dir, say, hang, end } = await agent(PATIENT_MS);
    const disk = await hang();
    const calls = 3000;
    await say(`model ${calls}`);
    await disk.release();
    expect(await say("tool 1")).toMatchObject({ ran: 1, codes: [] });
    expect(await say("close")).toMatchObject({ codes: [] });
    await end();
    const records = await recordsOf(dir);
    const lost = records.flatMap(({ type, details }) =>
      type === "gap" ? (details as { records: number }).records : [],
    );
    expect(lost.length).toBeGreaterThan(0);
    const kept = records.filter(({ type }) => type === "model").length;
    expect(kept + lost.reduce((sum, each) => sum + each, 0)).toBe(2 * calls);
    expect(await verify(dir)).toMatchObject({ ok: true, tail: 0 });
  });
});
