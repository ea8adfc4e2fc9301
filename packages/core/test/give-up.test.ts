import { describe, expect, it } from "@jest/globals";
import { type CallCore, PluginStack } from "../src/adapter.js";
import { type CallNext, type Invocation, type Plugin, type Settlement, signalOf } from "../src/index.js";

const request = { id: "1", tool: { name: "t" }, input: 1 };
const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

class TimeoutError extends Error {}

/** Gives an attempt up after so many milliseconds, and does what it is told then. */
const timeout = (milliseconds: number, then: (invocation: Invocation<"tool">, next: CallNext) => unknown): Plugin => ({
  name: "timeout",
  async tool(invocation, callNext) {
    const late = later(milliseconds).then(() => Promise.reject(new TimeoutError("late")));
    try {
      await Promise.race([callNext(), late]);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      invocation.giveUp(error);
      await then(invocation, callNext);
    }
  },
});

/** Each attempt takes so long, and says which one it was. */
function slow(...times: readonly number[]) {
  const signals: AbortSignal[] = [];
  const core: CallCore<"tool"> = async (invocation) => {
    const attempt = signals.push(invocation.signal);
    await later(times[attempt - 1] ?? 0);
    invocation.respond({ value: attempt });
  };
  return { core, signals };
}

async function call(plugins: readonly Plugin[], core: CallCore<"tool">) {
  const stack = new PluginStack(plugins);
  const run = stack.begin();
  const outcome = await stack.call("tool", run, request, core);
  const final = await outcome.final();
  return { run, final };
}

describe("an attempt that a layer gives up", () => {
  it("is told by its signal, with the reason, and lets the layer answer in its place", async () => {
    const { core, signals } = slow(40);
    const { run, final } = await call([timeout(5, (invocation) => invocation.respond({ value: "mine" }))], core);
    expect(final).toBe("mine");
    expect(signals[0]?.reason).toBeInstanceOf(TimeoutError);
    await later(60);
    await run.end();
  });

  it("does not keep the layer from beginning another, which has a signal of its own", async () => {
    const { core, signals } = slow(60, 1);
    const { final, run } = await call([timeout(5, (_, callNext) => callNext())], core);
    expect(final).toBe(2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await later(80);
    await run.end();
  });

  it("can end the call with an error of the layer's own", async () => {
    const { core } = slow(40);
    const failing = timeout(5, () => {
      throw new TimeoutError("given up");
    });
    await expect(call([failing], core)).rejects.toThrow("given up");
  });

  it("lets go of what it answers too late, and tells layers inside how it ended", async () => {
    let closed = false;
    const settlements: Settlement<unknown>[] = [];
    const watching: Plugin = {
      name: "watching",
      async tool(invocation, callNext) {
        await callNext();
        invocation.pipe({ settle: (settlement) => void settlements.push(settlement) });
      },
    };
    const core: CallCore<"tool"> = async (invocation) => {
      await later(20);
      invocation.respond({
        stream: {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: false, value: 1 }),
            return: async () => {
              closed = true;
              return { done: true, value: undefined };
            },
          }),
        },
      });
    };
    const { final, run } = await call([timeout(5, (own) => own.respond({ value: "mine" })), watching], core);
    await later(40);
    await run.end();
    expect([final, closed]).toEqual(["mine", true]);
    expect(settlements).toEqual([{ status: "cancelled", reason: expect.any(TimeoutError) }]);
  });

  it("tells a late stage that is an object of a class how it ended, as that object's method", async () => {
    class Counting {
      readonly ends: string[] = [];
      settle({ status }: Settlement<unknown>): void {
        this.ends.push(status);
      }
    }
    const stage = new Counting();
    const faults: unknown[] = [];
    const watching: Plugin = {
      name: "watching",
      observe: (told) => void (told.type === "fault" && faults.push(told.error)),
      async tool(invocation, callNext) {
        await callNext();
        invocation.pipe(stage);
      },
    };
    const { core } = slow(20);
    const { run } = await call([timeout(5, (invocation) => invocation.respond({ value: "mine" })), watching], core);
    await later(40);
    await run.end();
    expect([stage.ends, faults]).toEqual([["cancelled"], []]);
  });

  it("fails where its stream is read already, also after the layer has returned, and its source is closed", async () => {
    const settlements: Settlement<unknown>[] = [];
    let closed = false;
    let own: Invocation<"tool"> | undefined;
    const plugin: Plugin = {
      name: "watching",
      async tool(invocation, callNext) {
        await callNext();
        own = invocation;
        invocation.pipe({ settle: (settlement) => void settlements.push(settlement) });
      },
    };
    const stack = new PluginStack([plugin]);
    const run = stack.begin();
    const outcome = await stack.call("tool", run, request, async (invocation) => {
      const steps = [Promise.resolve({ done: false, value: 1 }), new Promise<never>(() => {})];
      const close = async () => {
        closed = true;
        return { done: true, value: undefined };
      };
      const source = { next: () => steps.shift() as Promise<IteratorYieldResult<number>>, return: close };
      invocation.respond({ stream: { [Symbol.asyncIterator]: () => source as AsyncIterator<number, void> } });
    });
    const reading = outcome[Symbol.asyncIterator]();
    await reading.next();
    const waiting = reading.next();
    const error = new TimeoutError("late");
    own?.giveUp(error);
    await expect(waiting).rejects.toBe(error);
    await run.end();
    expect([closed, settlements]).toEqual([true, [{ status: "failed", error }]]);
  });

  it("passes its reason to the consumer that waits for a first chunk, not the resulting error of its source", async () => {
    const own = new TimeoutError("late");
    const giving: Plugin = {
      name: "giving",
      async tool(invocation, callNext) {
        await callNext();
        const waiting = invocation.result?.ready();
        invocation.giveUp(own);
        await waiting;
      },
    };
    const breaking: CallCore<"tool"> = async (invocation) => {
      const { signal } = invocation;
      const next = () =>
        new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      invocation.respond({ stream: { [Symbol.asyncIterator]: () => ({ next }) } });
    };
    await expect(call([giving], breaking)).rejects.toBe(own);
  });

  it("takes the calls inside of it along", async () => {
    const stack = new PluginStack([timeout(5, (invocation) => invocation.respond({ value: "mine" }))]);
    const run = stack.begin();
    let inner: AbortSignal | undefined;
    const outcome = await stack.call("tool", run, request, async (invocation) => {
      await stack.call(
        "model",
        run,
        { model: "m", messages: [], tools: [] },
        async (model) => {
          inner = model.signal;
          await later(30);
        },
        invocation.call,
      );
    });
    expect(await outcome.final()).toBe("mine");
    expect(inner?.reason).toBeInstanceOf(TimeoutError);
    await later(40);
    await run.end();
  });
});

describe("the signal of a call", () => {
  it("aborts when the run ends, and tools find it by their call", async () => {
    const stack = new PluginStack([
      {
        name: "p",
        async tool(_, callNext) {
          await callNext();
        },
      },
    ]);
    const run = stack.begin();
    let found: AbortSignal | undefined;
    await stack.call("tool", run, request, async (invocation) => {
      found = signalOf(invocation.call);
      expect(found).toBe(invocation.signal);
      invocation.respond({ value: 1 });
    });
    expect(found?.aborted).toBe(false);
    await run.end();
    expect(found?.aborted).toBe(true);
  });

  it("of an attempt that is tried again aborts, and that of the next one does not", async () => {
    const signals: AbortSignal[] = [];
    const again: Plugin = {
      name: "again",
      async tool(_, callNext) {
        await callNext();
        await callNext();
      },
    };
    await call([again], async (invocation) => {
      signals.push(invocation.signal);
      invocation.respond({ value: signals.length });
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it("aborts with the reason of the caller's abort", async () => {
    const controller = new AbortController();
    const stack = new PluginStack();
    const run = stack.begin({ signal: controller.signal });
    const reason = new Error("enough");
    const outcome = stack.call("tool", run, request, async ({ signal }) => {
      controller.abort(reason);
      expect(signal.reason).toBe(reason);
      throw signal.reason;
    });
    await expect(outcome).rejects.toBe(reason);
    await run.end();
  });
});
