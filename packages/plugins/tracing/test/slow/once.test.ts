import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { diag, trace } from "@opentelemetry/api";
import type { Delta, Plugin, Reply, Stage } from "@suite/core";
import fc from "fast-check";
import { runs, timeFor } from "../../../../../scripts/runs.mjs";
import { spansOf } from "../../src/context/record.js";
import { tracing } from "../../src/index.js";
import { plans } from "../random-plan.js";
import { RandomRun } from "../random-run.js";
import { SpanBook, Teller } from "../span-book.js";
import { Harness, modelRequest, startSdk, stopSdk, tool, words } from "../support.js";

jest.setTimeout(timeFor(60_000));
afterEach(() => {
  diag.disable();
  stopSdk();
});

it("makes one span per call, below its parent, and ends it once within its run, however the run goes", async () => {
  let spans = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      stopSdk();
      const book = SpanBook.open(plan.ambient);
      const teller = new Teller();
      const run = new RandomRun(plan, teller, book.provider);
      await run.play();
      book.seal(teller);
      expect(trace.getActiveSpan()).toBeUndefined();
      await run.release();
      expect(book.problems).toEqual([]);
      spans += book.spans.length;
    }),
    { numRuns: runs(500) },
  );
  expect(spans).toBeGreaterThan(runs(500));
});

it("ends a span once and in any case, whatever it is told at the end", async () => {
  const complaints: unknown[] = [];
  const complain = (...said: unknown[]) => void complaints.push(said);
  const exporter = startSdk();
  const stages: Stage<Delta, Reply>[] = [];
  const invocation = {
    kind: "model",
    call: { id: "1", kind: "model" },
    runtime: new Harness().begin(),
    request: modelRequest(),
    reached: undefined,
    result: undefined,
    streamed: true,
    ended: async () => undefined,
    signal: new AbortController().signal,
    giveUp: () => {},
    respond: () => {},
    pipe: (stage: Stage<Delta, Reply>) => void stages.push(stage),
  } as const;
  await tracing().model(invocation, async () => {});
  diag.setLogger({ error: complain, warn: complain, info: complain, debug: complain, verbose: complain });
  await stages[0]?.settle?.({ status: "completed", final: undefined as never });
  expect(complaints).toEqual([[expect.stringContaining("could not be written in full (TypeError)")]]);
  await stages[0]?.settle?.({ status: "failed", error: new Error("late") });
  expect(complaints).toHaveLength(1);
  expect(exporter.getFinishedSpans().map((span) => [span.name, span.status.code])).toEqual([["chat gpt-5", 0]]);
});

it("holds no call that has ended, in a run however long", async () => {
  startSdk();
  const harness = new Harness();
  const run = harness.begin();
  const failing = tool("t", () => Promise.reject(new Error("no")));
  for (let i = 0; i < 3; i++) {
    await (await harness.chat(run, () => words("a"))).final();
    await harness.tool(run, failing, {}).catch(() => {});
  }
  expect(spansOf(run).running.size).toBe(0);
});

describe("a run that is over", () => {
  const held = () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hold: Plugin = {
      name: "hold",
      async tool(_call, next) {
        await gate;
        await next();
      },
    };
    return { hold, release };
  };

  it("has ended the call of a tool elsewhere too, though a layer still holds it back, and hears no more of it", async () => {
    const exporter = startSdk();
    const { hold, release } = held();
    const harness = new Harness({}, [hold]);
    const run = harness.begin();
    const waiting = harness.tool(run, tool("ship"), {}).catch(() => {});
    await run.end();
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: "execute_tool ship", attributes: { "suite.status": "cancelled" } });
    release();
    await waiting;
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });

  it("gives no span to a call that reaches tracing only now, and is not made any more", async () => {
    const exporter = startSdk();
    const { hold, release } = held();
    const harness = new Harness({}, [], [hold]);
    const run = harness.begin();
    const ran: unknown[] = [];
    const late = harness.tool(
      run,
      tool("late", (input) => ran.push(input)),
      { a: 1 },
    );
    await run.end();
    release();
    await expect(late).rejects.toMatchObject({ code: "ERR_CANCELLED" });
    expect(ran).toEqual([]);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});
