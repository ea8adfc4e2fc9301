import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { AnyInvocation, Delta, ModelRequest, Notification, Settlement } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { retryModel, type TimeoutOptions, timeout } from "@suite/resilience";
import { part, reply, request } from "./support.js";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const never = new Promise<never>(() => {});

/** A run with a time limit, in which a model takes so long for its headers, and for each of its chunks. */
function rigOf(options: TimeoutOptions, outer: ConstructorParameters<typeof PluginStack>[0] = []) {
  const told: Notification[] = [];
  const settlements: Settlement<unknown>[] = [];
  const signals: AbortSignal[] = [];
  const watching = {
    name: "watching",
    observe: (each: Notification) => void told.push(each),
    async model(invocation: AnyInvocation, callNext: () => Promise<void>) {
      await callNext();
      invocation.pipe({ settle: (settlement: Settlement<unknown>) => void settlements.push(settlement) });
    },
  };
  const stack = new PluginStack([...outer, watching, timeout(options)]);
  const abort = new AbortController();
  const run = stack.begin({ signal: abort.signal });
  const ask = (headers: number, chunks?: readonly number[], changes: Partial<ModelRequest> = {}) =>
    stack.call("model", run, { ...request, stream: chunks !== undefined, ...changes }, async (invocation) => {
      signals.push(invocation.signal);
      await later(headers);
      if (chunks === undefined) return invocation.respond({ value: reply("said") });
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          for (const wait of chunks) {
            await later(wait);
            yield part(`${wait} `);
          }
        })(),
      });
    });
  return { told, settlements, signals, stack, run, ask, abort };
}

/** The text of an answer, of which each chunk is asked for after so long, and the error that it ended with. */
async function read(asking: ReturnType<ReturnType<typeof rigOf>["ask"]>, pause = 0) {
  let text = "";
  try {
    for await (const delta of await asking) {
      if (delta.type === "part" && delta.part.type === "text") text += delta.part.content;
      if (pause > 0) await later(pause);
    }
    return { text, error: undefined };
  } catch (error) {
    return { text, error: error as Error & { code?: string } };
  }
}

/** Lets all the time pass that is waited for. */
async function passing<T>(work: Promise<T>): Promise<T> {
  await jest.advanceTimersByTimeAsync(20_000);
  return work;
}

describe("a model call", () => {
  it("fails after its time limit, is aborted, and the error names the limit", async () => {
    const rig = rigOf({ call: 100 });
    const { error } = await passing(read(rig.ask(5000)));
    expect(error).toMatchObject({
      code: "ERR_RESILIENCE_TIMEOUT",
      message: expect.stringContaining("model call took longer"),
    });
    expect(rig.signals[0]?.reason).toBe(error);
    expect(rig.told).toEqual([
      expect.objectContaining({ decision: "timeout", place: "model", details: { limit: "call", milliseconds: 100 } }),
    ]);
  });

  it("passes in time, and leaves no timer", async () => {
    const rig = rigOf({ call: 100, firstChunk: 50, betweenChunks: 50 });
    const reading = Promise.all([read(rig.ask(10)), read(rig.ask(10, [10, 20, 30]))]);
    const [plain, streamed] = await passing(reading);
    expect([plain.text, streamed.text]).toEqual(["said", "10 20 30 "]);
    expect(jest.getTimerCount()).toBe(0);
    expect(rig.told).toEqual([]);
  });

  it.each([
    ["headers", 5000, [1]],
    ["first chunk", 20, [5000]],
  ] as const)("fails when its first chunk takes too long: its %s", async (_, headers, chunks) => {
    const rig = rigOf({ firstChunk: 100 });
    const { error } = await passing(read(rig.ask(headers, chunks)));
    expect(error?.message).toContain("The first chunk of the model's answer took longer than 100 ms");
    expect(jest.getTimerCount()).toBe(0);
  });

  it("fails when a further chunk takes too long, and its layers are told", async () => {
    const rig = rigOf({ firstChunk: 100, betweenChunks: 100 });
    const { text, error } = await passing(read(rig.ask(10, [10, 90, 5000])));
    expect(text).toBe("10 90 ");
    expect(error?.message).toContain("The next chunk");
    expect(rig.settlements).toEqual([{ status: "failed", error }]);
    expect(rig.signals[0]?.reason).toBe(error);
  });

  it("fails when all its chunks together take too long", async () => {
    const { text, error } = await passing(read(rigOf({ call: 100 }).ask(10, [40, 40, 40])));
    expect([text, error?.code]).toEqual(["40 40 ", "ERR_RESILIENCE_TIMEOUT"]);
  });

  it("does not count the time of a slow reader", async () => {
    const rig = rigOf({ call: 100, firstChunk: 50, betweenChunks: 50 });
    const { text, error } = await passing(read(rig.ask(10, [20, 20, 20]), 1000));
    expect([text, error]).toEqual(["20 20 20 ", undefined]);
  });

  it("has no timer left when the run is aborted, or nobody reads on", async () => {
    const aborted = rigOf({ call: 1000 });
    const reading = read(aborted.ask(500));
    await jest.advanceTimersByTimeAsync(10);
    aborted.abort.abort(new Error("gone"));
    await passing(reading);
    const left = rigOf({ call: 60_000, betweenChunks: 60_000 });
    const reader = (await passing(left.ask(0, [1, 1000])))[Symbol.asyncIterator]();
    await passing(reader.next());
    void reader.next();
    await passing(Promise.resolve(reader.return?.()));
    await passing(left.run.end());
    expect(jest.getTimerCount()).toBe(0);
  });

  it("is only told of in monitor mode", async () => {
    const rig = rigOf({ call: 100, mode: "monitor" });
    expect((await passing(read(rig.ask(500)))).text).toBe("said");
    expect(rig.told).toEqual([expect.objectContaining({ decision: "timeout", enforced: false })]);
  });

  it("is tried again by a retry outside, which has seen nothing of it", async () => {
    const rig = rigOf({ firstChunk: 100 }, [retryModel({ initialDelay: 0 })]);
    let slow = true;
    const asking = rig.stack.call("model", rig.run, { ...request, stream: true }, async (invocation) => {
      const wait = slow ? 500 : 1;
      slow = false;
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          await later(wait);
          yield part(`${wait}`);
        })(),
      });
    });
    expect(await passing(read(asking))).toEqual({ text: "1", error: undefined });
  });
});

describe("a tool call", () => {
  const call = { id: "1", tool: { name: "t" }, input: {} };

  it("fails when it takes too long, and is told to stop", async () => {
    const stack = new PluginStack([timeout({ tool: 100 })]);
    let signal: AbortSignal | undefined;
    const calling = stack.call("tool", stack.begin(), call, async (invocation) => {
      signal = invocation.signal;
      await never;
    });
    const error = await passing(calling.catch((thrown) => thrown));
    expect(error).toMatchObject({ code: "ERR_RESILIENCE_TIMEOUT", message: expect.stringContaining("tool") });
    expect(signal?.reason).toBe(error);
    expect(jest.getTimerCount()).toBe(0);
  });

  it("timeout starts a late tool once, and leaves it at work when it hears no signal", async () => {
    const stack = new PluginStack([timeout({ tool: 100 })]);
    let [started, charged] = [0, 0];
    const charge = () =>
      stack.call("tool", stack.begin(), call, async (invocation) => {
        started++;
        await later(200);
        charged++;
        invocation.respond({ value: "charged" });
      });
    const failed = expect.objectContaining({ code: "ERR_RESILIENCE_TIMEOUT" });
    const first = passing(charge().catch((thrown) => thrown));
    expect(await first).toEqual(failed);
    await passing(later(200));
    expect([started, charged]).toEqual([1, 1]);
    // The model reads a failure. A call that it makes again is another call, and does the work again.
    expect(await passing(charge().catch((thrown) => thrown))).toEqual(failed);
    await passing(later(200));
    expect([started, charged]).toEqual([2, 2]);
  });

  it("does not count the time in which a person is asked", async () => {
    const stack = new PluginStack([timeout({ tool: 100 })]);
    const run = stack.begin();
    const calling = stack.call("tool", run, call, async (invocation) => {
      await later(60);
      const asked = { question: "may it?" };
      const person = await stack.call(
        "humanInput",
        run,
        asked,
        async (own) => {
          await later(5000);
          own.respond({ value: "yes" });
        },
        invocation.call,
      );
      const said = await person.final();
      await later(30);
      invocation.respond({ value: said });
    });
    const outcome = await passing(calling);
    expect(await outcome.final()).toBe("yes");
    expect(jest.getTimerCount()).toBe(0);
  });
});

it("an invalid option is rejected on creation", () => {
  expect(() => timeout({})).toThrow(/needs a time/);
  for (const call of [0, -1, Number.NaN, 2 ** 31])
    expect(() => timeout({ call })).toThrow(/milliseconds greater than 0/);
});
