import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { type AuditRecord, audit, fileSink, type Sink } from "../src/index.js";
import { brief, modelRequest, reply, scenario, toolRequest } from "./scenario.js";
import { temporaryDirectory } from "./support.js";

/** The repairs made after each test, so that nothing waits for a disk when the stacks are closed. */
const repairs: (() => unknown)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const repair of repairs.splice(0)) await repair();
});

/** A sink over a directory that cannot be made: a file stands in its way, until it is removed. */
async function blockedSink(): Promise<Sink> {
  const file = join(await temporaryDirectory(), "file");
  await writeFile(file, "");
  repairs.push(() => rm(file));
  return fileSink({ dir: join(file, "audit") });
}

/** A sink that is as slow, or as broken, as it is told to be. */
function switchedSink() {
  const written: AuditRecord[] = [];
  const held: (() => void)[] = [];
  const state = { mode: "ok" as "ok" | "broken" | "hung" };
  const sink: Sink = {
    async append(record) {
      // The policy in force has tests of its own.
      if (record.type === "policy") return;
      if (state.mode === "broken") throw Object.assign(new Error("no"), { code: "EIO" });
      if (state.mode === "hung") await new Promise<void>((resolve) => held.push(resolve));
      written.push(record);
    },
    close: async () => {},
  };
  const release = (): void => {
    state.mode = "ok";
    for (const resolve of held.splice(0)) resolve();
  };
  repairs.push(release);
  return { sink, written, state, release };
}

describe("required", () => {
  it("is the default for tools: one whose intent cannot be written does not run", async () => {
    const { act } = await scenario({ sink: await blockedSink() });
    let ran = false;
    const error = await act("tool", toolRequest, async (c) => {
      ran = true;
      c.respond({ value: 1 });
    });
    expect(error).toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE", cause: { cause: { code: "ENOTDIR" } } });
    expect(ran).toBe(false);
  });

  it("has the intent in the log before the tool runs", async () => {
    const { sink, written } = switchedSink();
    const { act } = await scenario({ sink });
    let before = -1;
    await act("tool", toolRequest, async (c) => {
      before = written.length;
      c.respond({ value: 1 });
    });
    expect(before).toBe(1);
  });

  it("waits no longer than it is told for a disk that hangs, and records that the tool did not run", async () => {
    const { sink, written, state, release } = switchedSink();
    const { act, stack } = await scenario({ sink, timeoutMs: 40 });
    state.mode = "hung";
    jest.useFakeTimers();
    let ended = false;
    const acting = act("tool", toolRequest, async (c) => c.respond({ value: 1 })).finally(() => {
      ended = true;
    });
    await jest.advanceTimersByTimeAsync(39);
    expect(ended).toBe(false);
    // What waits for the intent, and then for the record that it did not run.
    await jest.advanceTimersByTimeAsync(1 + 40);
    expect(ended).toBe(true);
    expect(await acting).toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE" });
    release();
    await stack.close();
    expect(written.map(brief)).toEqual(["tool intent", "tool failed"]);
  });

  it("gives way to an abort, with the user's own reason", async () => {
    const { sink, state } = switchedSink();
    const { act } = await scenario({ sink });
    state.mode = "hung";
    const reason = new Error("the user left");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 20);
    expect(await act("tool", toolRequest, async (c) => c.respond({ value: 1 }), { signal: controller.signal })).toBe(
      reason,
    );
  });

  it("never hides how the tool ended behind an outcome that cannot be written, and writes it later", async () => {
    const { sink, written, state } = switchedSink();
    const { act, stack } = await scenario({ sink, timeoutMs: 200 });
    const error = new Error("the tool's own");
    expect(
      await act("tool", toolRequest, async () => {
        state.mode = "broken";
        throw error;
      }),
    ).toBe(error);
    state.mode = "ok";
    expect(
      await act("tool", toolRequest, async (c) => {
        state.mode = "broken";
        c.respond({ value: 7 });
      }),
    ).toBe(7);
    state.mode = "ok";
    await stack.close();
    expect(written.map(brief).sort()).toEqual(["tool completed", "tool failed", "tool intent", "tool intent"]);
  });

  it("ends the act when its outcome is durable, too", async () => {
    const { sink, written, state, release } = switchedSink();
    const { act } = await scenario({ sink });
    jest.useFakeTimers();
    let ended = false;
    const acting = act("tool", toolRequest, async (c) => {
      state.mode = "hung";
      c.respond({ value: 7 });
    }).finally(() => {
      ended = true;
    });
    await jest.advanceTimersByTimeAsync(10);
    expect(ended).toBe(false);
    release();
    expect(await acting).toBe(7);
    expect(written.map(brief)).toEqual(["tool intent", "tool completed"]);
  });

  it("can be asked for by rule, for any kind", async () => {
    const { act } = await scenario({
      sink: await blockedSink(),
      policy: { delivery: [{ type: "model", target: "gpt-*", delivery: "required" }] },
    });
    expect(await act("model", modelRequest, async (c) => c.respond({ value: reply }))).toMatchObject({
      code: "ERR_AUDIT_UNAVAILABLE",
    });
  });
});

describe("buffered", () => {
  it("lets a call begin in the turn in which it was asked for, as it would without a record", async () => {
    const { sink } = switchedSink();
    const { begin, stack } = await scenario({ sink });
    const run = begin();
    let began = false;
    const layer = stack.plugins.find(({ name }) => name === "audit")?.model as NonNullable<Plugin["model"]>;
    const watched = new PluginStack([
      {
        name: "audit in between",
        model: (invocation, callNext) => (layer as (...call: unknown[]) => Promise<void>)(invocation, callNext),
      },
    ]);
    const outcome = watched.call("model", run, modelRequest, async (invocation) => {
      began = true;
      invocation.respond({ value: reply });
    });
    expect(began).toBe(true);
    await (await outcome).final();
    await run.end();
    await stack.close();
  });

  it("is the default for all else: the call goes on, the records follow when they can, in order", async () => {
    const { sink, written, state } = switchedSink();
    const { act, stack, warnings } = await scenario({ sink });
    state.mode = "broken";
    expect(await act("model", modelRequest, async (c) => c.respond({ value: reply }))).toEqual(reply);
    expect(written).toEqual([]);
    state.mode = "ok";
    await stack.close();
    expect(written.map(brief)).toEqual(["model intent", "model completed"]);
    expect(warnings).toEqual([expect.stringContaining("EIO")]);
  });

  it("tries again by itself", async () => {
    const { sink, written, state } = switchedSink();
    const { act } = await scenario({ sink });
    jest.useFakeTimers();
    state.mode = "broken";
    await act("model", modelRequest, async (c) => c.respond({ value: reply }));
    state.mode = "ok";
    await jest.advanceTimersByTimeAsync(250);
    expect(written).toHaveLength(2);
  });

  it("is bounded, and counts what is lost in a gap record", async () => {
    const { sink, written, state, release } = switchedSink();
    const { act, stack } = await scenario({ sink, bufferBytes: 4000 });
    state.mode = "hung";
    for (let n = 0; n < 20; n++) await act("model", modelRequest, async (c) => c.respond({ value: reply }));
    release();
    await stack.close();
    const kept = written.filter(({ type }) => type === "model").length;
    expect(kept).toBeLessThan(10);
    const gaps = written
      .filter(({ type }) => type === "gap")
      .map(({ details }) => (details as { records: number }).records);
    expect(gaps.reduce((sum, n) => sum + n, 0)).toBe(40 - kept);
  });

  it("asks a sink that is broken for the oldest record only, until it takes it", async () => {
    const { sink, written, state } = switchedSink();
    const asked: string[] = [];
    const append = (record: AuditRecord) => {
      if (record.type !== "policy") asked.push(record.id);
      return sink.append(record);
    };
    const { act, stack } = await scenario({ sink: { ...sink, append } });
    jest.useFakeTimers();
    state.mode = "broken";
    for (let n = 0; n < 5; n++) await act("model", modelRequest, async (c) => c.respond({ value: reply }));
    await jest.advanceTimersByTimeAsync(250);
    const [oldest] = asked;
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((id) => id !== oldest).length).toBeLessThanOrEqual(1);
    state.mode = "ok";
    await stack.close();
    expect(written.map(brief)).toEqual(Array.from({ length: 5 }, () => ["model intent", "model completed"]).flat());
  });

  it("takes one promise for several records, also one that is over, and tries all of them again where it rejects", async () => {
    const written: string[] = [];
    const done = Promise.resolve();
    let broken = true;
    let failed: Promise<void> | undefined;
    const sink: Sink = {
      append(record) {
        failed ??= Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
        if (broken) return failed;
        if (record.type === "model") written.push(`${record.callId} ${record.stage}`);
        return done;
      },
      close: async () => {},
    };
    const { act, stack } = await scenario({ sink });
    const ask = () => act("model", modelRequest, async (c) => c.respond({ value: reply }));
    await ask();
    broken = false;
    await ask();
    await ask();
    await stack.close();
    const calls = [...new Set(written.map((each) => each.split(" ")[0]))];
    expect(calls).toHaveLength(3);
    expect(written).toEqual(calls.flatMap((call) => [`${call} intent`, `${call} outcome`]));
  });

  it("says at the close what could not be written", async () => {
    const { sink, state } = switchedSink();
    const plugin = audit({ sink, timeoutMs: 150, warn: () => {} });
    const { begin } = await scenario();
    const run = begin();
    jest.useFakeTimers();
    state.mode = "broken";
    plugin.observe({ type: "limit", limit: "rounds", maximum: 1 }, run);
    const closing = plugin.close();
    closing.catch(() => {});
    await jest.advanceTimersByTimeAsync(150);
    await expect(closing).rejects.toMatchObject({
      code: "ERR_AUDIT_UNAVAILABLE",
      message: expect.stringContaining("1 records are lost"),
    });
  });
});

it("tells of a gap at the latest when it is closed", async () => {
  const { sink, written, state } = switchedSink();
  const { act, stack } = await scenario({ sink, policy: { delivery: "best-effort" } });
  state.mode = "broken";
  await act("tool", toolRequest, async (c) => c.respond({ value: 1 }));
  state.mode = "ok";
  await stack.close();
  expect(written).toMatchObject([{ type: "gap", details: { records: 2 } }]);
});

it("takes no more of what is required into memory than it may: the act does not run", async () => {
  const { sink, state, release } = switchedSink();
  const { act, stack } = await scenario({ sink, bufferBytes: 4000, timeoutMs: 100 });
  state.mode = "hung";
  const calls = Array.from({ length: 20 }, () => act("tool", toolRequest, async (c) => c.respond({ value: 1 })));
  const messages = (await Promise.all(calls)).map((error) => (error as Error).message);
  expect(messages.filter((text) => text.includes("too many records are waiting")).length).toBeGreaterThan(10);
  release();
  await stack.close();
});

it("closes within its time in all, however slow the flush and the sink are", async () => {
  const { sink, state } = switchedSink();
  const plugin = audit({
    sink: { ...sink, close: () => new Promise(() => {}) },
    timeoutMs: 1000,
    warn: () => {},
  });
  const { begin } = await scenario();
  jest.useFakeTimers();
  state.mode = "broken";
  plugin.observe({ type: "limit", limit: "rounds", maximum: 1 }, begin());
  let ended = false;
  const closing = plugin.close().finally(() => {
    ended = true;
  });
  closing.catch(() => {});
  await jest.advanceTimersByTimeAsync(400);
  state.mode = "ok";
  await jest.advanceTimersByTimeAsync(599);
  expect(ended).toBe(false);
  await jest.advanceTimersByTimeAsync(2);
  expect(ended).toBe(true);
  await expect(closing).rejects.toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE" });
});

describe("best-effort", () => {
  it("tries once", async () => {
    const { sink, written, state } = switchedSink();
    const { act, stack } = await scenario({ sink, policy: { delivery: "best-effort" } });
    state.mode = "broken";
    await act("tool", toolRequest, async (c) => c.respond({ value: 1 }));
    state.mode = "ok";
    await act("tool", toolRequest, async (c) => c.respond({ value: 1 }));
    await stack.close();
    expect(written.map(brief).filter((text) => text.startsWith("tool"))).toEqual(["tool intent", "tool completed"]);
  });
});

it.each([
  { timeoutMs: 0 },
  { bufferBytes: Number.NaN },
  { policy: { content: "everything" as never } },
  { policy: { delivery: [{ delivery: "maybe" as never }] } },
  { content: "full" } as never,
  { policy: { contents: "full" } as never },
  { sink: "audit" as never },
])("refuses %j", (options) => {
  expect(() => audit(options)).toThrow(expect.objectContaining({ code: "ERR_AUDIT_INVALID_OPTION" }));
});
