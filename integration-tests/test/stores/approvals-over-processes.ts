import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent, defineTool, type PendingState } from "@suite/agent";
import { approvals, humanInTheLoop, type PersonDecision } from "@suite/approval";
import fc from "fast-check";
import { call, scripted, suspended } from "../../../packages/agent/test/support.js";
import { runs } from "../../../scripts/runs.mjs";
import { crowdSize } from "./crowd.js";
import type { SharedServer } from "./limits-over-processes.js";

const keys = [{ id: "k1", secret: "s".repeat(32) }];
const victimCount = Math.min(4, crowdSize);
/** The answer of a run whose approval another process has used up. */
const usedBefore = { answer: expect.stringContaining("already used") };

interface Done {
  readonly job: number;
  readonly status?: string;
  readonly answer?: string;
  readonly code?: string;
}

/** Another process, which decides on requests and goes on with runs. */
class Approver {
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  readonly #waiting = new Map<number, (done: Done | "killed") => void>();
  #jobs = 0;

  /** @param paid is told of each payment: of which run, and how much. */
  constructor(address: Readonly<Record<string, unknown>>, paid: (run: number, eur: number) => void) {
    const program = join(import.meta.dirname, "../fixtures/stores/approver.mjs");
    const child = spawn(process.execPath, [program, JSON.stringify(address)], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    child.stdin.on("error", () => {});
    this.#gone = once(child, "close").then(() => {
      for (const tell of this.#waiting.values()) tell("killed");
    });
    this.ready = new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error("A process did not start.")));
      createInterface({ input: child.stdout }).on("line", (text) => {
        const line = JSON.parse(text) as { ready?: true; paid?: number; eur?: number; done?: Done };
        if (line.ready) resolve();
        else if (line.done !== undefined) this.#waiting.get(line.done.job)?.(line.done);
        else paid(line.paid ?? -1, line.eur ?? -1);
      });
    });
  }

  does(job: Readonly<Record<string, unknown>>): Promise<Done | "killed"> {
    const number = ++this.#jobs;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.stdin?.write(`${JSON.stringify({ ...job, job: number })}\n`);
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#gone;
  }
}

/** Holds approvals that many processes decide and use on one server. */
export function describeApprovalsOverProcesses(name: string, open: () => SharedServer): void {
  describe(`approvals of ${crowdSize} processes on one ${name}`, () => {
    let server: SharedServer;
    let processes: Approver[] = [];
    /** The amounts that were paid, by run. */
    const paid = new Map<number, number[]>();
    let started = 0;

    const start = async (count: number): Promise<Approver[]> => {
      const note = (run: number, eur: number) => void paid.set(run, [...(paid.get(run) ?? []), eur]);
      const made = Array.from({ length: count }, () => new Approver({ ...server.address, timeout: 10_000 }, note));
      await Promise.all(made.map(({ ready }) => ready));
      return made;
    };
    beforeAll(async () => {
      server = open();
      processes = await start(crowdSize);
    }, 120_000);
    afterAll(() => Promise.all(processes.map((each) => each.end())));

    /** A run that waits for the approval of ten euros. */
    async function waiting(): Promise<{ readonly run: number; readonly pending: PendingState; readonly id: string }> {
      const asked: string[] = [];
      const guard = humanInTheLoop(
        { pay: true },
        { store: server.store, keys, ask: (request) => void asked.push(request.id) },
      );
      const pay = defineTool({ name: "pay", execute: () => "paid" });
      const model = scripted([call("1", "pay", { eur: 10 })]);
      const pending = await suspended(
        createAgent({ name: "payer", model, tools: [pay], plugins: [guard], resume: { keys } }).run("pay"),
      );
      return { run: ++started, pending, id: asked[0] ?? "" };
    }
    const desk = () => approvals({ store: server.store, keys });
    const resume = (each: Approver, { run, pending }: { run: number; pending: PendingState }, more = {}) =>
      each.does({ do: "resume", run, pending, ...more });
    const decisions: readonly PersonDecision[] = [
      { decision: "approve", by: "ann" },
      { decision: "edit", arguments: { eur: 5 } },
      { decision: "reject", message: "no" },
      { decision: "respond", response: "by hand" },
    ];
    const amounts: Readonly<Record<string, readonly number[]>> = { approve: [10], edit: [5], reject: [], respond: [] };

    it("are decided by the first of all who decide, and used by the first of all who go on, as decided", async () => {
      const plan = fc.array(fc.constantFrom(...decisions), { minLength: crowdSize, maxLength: crowdSize });
      await fc.assert(
        fc.asyncProperty(plan, async (chosen) => {
          const each = await waiting();
          const decided = await Promise.all(
            processes.map((one, at) => one.does({ do: "decide", id: each.id, decision: chosen[at] })),
          );
          const first = decided.flatMap((done) =>
            done !== "killed" && done.status !== undefined ? [done.status] : [],
          );
          expect(first).toHaveLength(1);
          expect(decided.filter((done) => done !== "killed" && done.code === "ERR_APPROVAL_DECIDED")).toHaveLength(
            crowdSize - 1,
          );
          await Promise.all(processes.map((one) => resume(one, each)));
          expect(paid.get(each.run) ?? []).toEqual(amounts[first[0] ?? ""]);
        }),
        { numRuns: runs(15) },
      );
    });

    it("are used up if a process is killed between the use and the tool: no tool runs, and the model receives a message", async () => {
      const each = await waiting();
      await desk().decide(each.id, { decision: "approve" });
      const [victim] = await start(1);
      expect(await resume(victim as Approver, each, { dies: true })).toBe("killed");
      const after = await Promise.all(processes.map((one) => resume(one, each)));
      expect(paid.get(each.run)).toBeUndefined();
      for (const done of after) expect(done).toMatchObject(usedBefore);
    });

    it("are used once if processes are killed at any time, and unused ones are not lost", async () => {
      const momentsOfKills = fc.array(fc.nat(300), { minLength: victimCount, maxLength: victimCount });
      await fc.assert(
        fc.asyncProperty(momentsOfKills, async (moments) => {
          const victims = await start(victimCount);
          const all = await Promise.all(Array.from({ length: 12 }, waiting));
          await Promise.all(all.map(({ id }) => desk().decide(id, { decision: "approve" })));
          const [untouched, ...raced] = all;
          const racing = raced.flatMap((each) => victims.map((one) => resume(one, each)));
          const kills = victims.map(async (one, at) => {
            await new Promise((resolve) => setTimeout(resolve, moments[at]));
            one.kill();
          });
          await Promise.all([...racing, ...kills]);
          const paidByVictims = new Set(raced.map(({ run }) => run).filter((run) => paid.has(run)));
          const after = await Promise.all(all.map((each, at) => resume(processes[at % crowdSize] as Approver, each)));
          expect(paid.get(untouched?.run ?? -1)).toEqual([10]);
          for (const [at, { run }] of all.entries()) {
            expect((paid.get(run) ?? []).length).toBeLessThanOrEqual(1);
            // Used by one that was killed, before it paid or after; else this process has paid now.
            if (!paid.has(run) || paidByVictims.has(run)) expect(after[at]).toMatchObject(usedBefore);
          }
        }),
        { numRuns: runs(4) },
      );
    });

    it("are used once where the server is killed and started again meanwhile, and those that were not are used afterwards", async () => {
      const all = await Promise.all(Array.from({ length: 20 }, waiting));
      await Promise.all(all.map(({ id }) => desk().decide(id, { decision: "approve" })));
      const racing = all.flatMap((each) => processes.slice(0, 4).map((one) => resume(one, each)));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await server.restart();
      const first = await Promise.all(racing);
      // One that has begun none of them yet, and lost no connection.
      const [fresh] = await start(1);
      const second = await Promise.all(all.map((each) => resume(fresh as Approver, each)));
      await fresh?.end();
      for (const [at, { run }] of all.entries()) {
        const times = (paid.get(run) ?? []).length;
        expect(times).toBeLessThanOrEqual(1);
        // Unpaid, and used up all the same: only by a use whose answer was lost with the server.
        const lost = first
          .slice(at * 4, at * 4 + 4)
          .some(
            (done) =>
              done === "killed" || done.code !== undefined || /fail|timed? ?out|reply|connect/i.test(done.answer ?? ""),
          );
        if (times === 0) expect([lost, second[at]]).toEqual([true, expect.objectContaining(usedBefore)]);
      }
    });
  });
}
