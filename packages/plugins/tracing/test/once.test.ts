import { afterEach, expect, it } from "@jest/globals";
import { DiagLogLevel, diag, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { CallId, Delta, Plugin, Reply, Stage, Suspended } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { tracing } from "../src/index.js";
import { spansOf } from "../src/spans/record.js";
import { Harness, modelRequest, startSdk, stopSdk, tool, words } from "./support.js";

afterEach(() => {
  diag.disable();
  stopSdk();
});

const end = fc.constantFrom("whole", "throws", "breaks", "aborts", "unread", "suspends", "outer throws", "retried");
const step = fc.record({
  kind: fc.constantFrom("chat" as const, "tool" as const, "agent" as const),
  end,
  after: fc.integer({ min: 0, max: 3 }),
});
const scenario = fc.record({
  steps: fc.array(step, { maxLength: 4 }),
  end,
  after: fc.integer({ min: 0, max: 3 }),
  parallel: fc.boolean(),
  content: fc.constantFrom("none" as const, "full" as const),
});
type End = typeof end extends fc.Arbitrary<infer E> ? E : never;

/** Throws, or tries a second time, where the run of a scenario says so. */
const meddler = (ends: Map<string, End>): Plugin => {
  const layer = async (call: { call: CallId }, next: () => Promise<void>) => {
    const planned = ends.get("next");
    ends.delete("next");
    await next();
    if (planned === "retried") await next();
    if (planned === "outer throws") throw new Error(`after ${call.call.kind}`);
  };
  return { name: "meddler", agent: layer, model: layer, tool: layer };
};

async function play(plan: typeof scenario extends fc.Arbitrary<infer S> ? S : never): Promise<void> {
  const ends = new Map<string, End>();
  const meddle = meddler(ends);
  const harness = new Harness({ content: plan.content, warn: () => {} }, [{ ...meddle, name: "inner" }], [meddle]);
  const aborting = new AbortController();
  const run = harness.begin({ signal: aborting.signal });
  const body = async function* (how: End, after: number): AsyncGenerator<Delta, Suspended | void> {
    let count = 0;
    for await (const delta of words("a", "b", "c")) {
      if (count++ === after) {
        if (how === "throws") throw new Error("broke");
        if (how === "aborts") aborting.abort(new Error("stop"));
        if (how === "suspends") return { suspended: [] };
      }
      yield delta;
    }
  };
  const read = async (outcome: AsyncIterable<unknown>, how: End, after: number) => {
    if (how === "unread") return;
    let count = 0;
    for await (const _ of outcome) if (how === "breaks" && count++ === after) break;
  };
  const one = async (where: Run, parent: CallId, { kind, end: how, after }: (typeof plan.steps)[number]) => {
    ends.set("next", how);
    if (kind === "chat")
      return read(await harness.chat(where, () => body(how, after) as AsyncIterable<Delta>, parent), how, after);
    if (kind === "agent") {
      const inner = harness.begin({ parent: where, signal: aborting.signal });
      try {
        return await read(await harness.agent(inner, () => body(how, after), undefined, parent), how, after);
      } finally {
        await inner.end();
      }
    }
    const execute = how === "throws" ? () => Promise.reject(new Error("no")) : () => 1;
    return read(await harness.tool(where, tool("t", how === "suspends" ? undefined : execute), {}, parent), how, after);
  };
  ends.set("next", plan.end);
  try {
    const outcome = await harness.agent(run, async function* (call) {
      const running = plan.steps.map((each) => () => one(run, call, each).catch(() => {}));
      if (plan.parallel) await Promise.all(running.map((go) => go()));
      else for (const go of running) await go();
      return yield* body(plan.end, plan.after);
    });
    await read(outcome, plan.end, plan.after);
  } catch {
    // What a plan throws is part of it.
  }
  await run.end();
}

it("ends every span exactly once, below a parent of its own trace, however a run ends", async () => {
  const complaints: unknown[] = [];
  const complain = (...said: unknown[]) => void complaints.push(said);
  diag.setLogger(
    { error: complain, warn: complain, info: () => {}, debug: () => {}, verbose: () => {} },
    DiagLogLevel.WARN,
  );
  let started = 0;
  const ended: ReadableSpan[] = [];
  new NodeTracerProvider({
    spanProcessors: [
      {
        onStart: () => void started++,
        onEnd: (span) => void ended.push(span),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  }).register();
  await fc.assert(
    fc.asyncProperty(scenario, async (plan) => {
      started = 0;
      ended.length = 0;
      await play(plan);
      expect(started).toBeGreaterThan(0);
      expect(ended).toHaveLength(started);
      expect(complaints).toEqual([]);
      expect(trace.getActiveSpan()).toBeUndefined();
      const ids = new Set(ended.map((span) => span.spanContext().spanId));
      const roots = ended.filter((span) => span.parentSpanContext === undefined);
      for (const span of ended) {
        if (span.parentSpanContext !== undefined) expect(ids).toContain(span.parentSpanContext.spanId);
        else expect(span.name).toBe("invoke_agent support");
        expect(span.status.code === 2).toBe(span.attributes["error.type"] !== undefined);
      }
      expect(roots.length).toBeGreaterThan(0);
    }),
    { numRuns: runs(300) },
  );
}, 60_000);

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
