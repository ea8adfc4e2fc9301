import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { MiddlewareTermination, type Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { answers, call, collect, layer, request, said, staged, streams, words } from "./support.js";

const never = (): Promise<void> => new Promise(() => {});
const faults: string[] = [];
const told: Plugin = { name: "told", observe: (event) => void (event.type === "fault" && faults.push(event.where)) };

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
});
afterEach(() => {
  jest.useRealTimers();
  faults.length = 0;
});

/** Whether a promise has ended, after so many seconds. */
async function endsWithin(seconds: number, work: Promise<unknown>): Promise<boolean> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  await jest.advanceTimersByTimeAsync(seconds * 1000);
  return over;
}

describe("a settle that hangs", () => {
  const hangs = staged({ settle: never }, "hangs");

  it("is left behind in the end, and reported", async () => {
    const log: string[] = [];
    const outer = staged({ settle: ({ status }) => void log.push(status) }, "outer");
    const { outcome, run } = await call("model", [told, outer, hangs], request, answers("said"));
    const answer = outcome.final();
    expect(await endsWithin(29, answer)).toBe(false);
    expect(await endsWithin(2, answer)).toBe(true);
    expect([log, faults, await answer]).toEqual([["completed"], ["settle"], expect.anything()]);
    expect(await endsWithin(0, run.end())).toBe(true);
  });

  it("is waited for a short while only from when the caller aborts", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { outcome } = await call("model", [told, hangs], request, answers("said"), { signal });
    const answer = outcome.final();
    expect(await endsWithin(10, answer)).toBe(false);
    controller.abort("enough");
    expect(await endsWithin(6, answer)).toBe(true);
    expect(faults).toEqual(["settle"]);
  });

  it("of an answer that nobody read is waited for a short while only", async () => {
    const { run } = await call("model", [told, hangs], request, streams("said"));
    expect(await endsWithin(6, run.end())).toBe(true);
  });

  it("that ends in time leaves no timer and no listener", async () => {
    const { signal } = new AbortController();
    const slow = staged({ settle: () => new Promise<void>((resolve) => setImmediate(resolve)) });
    const { outcome, run } = await call("model", [slow], request, answers("said"), { signal });
    await outcome.final();
    await run.end();
    expect([jest.getTimerCount(), getEventListeners(signal, "abort").length]).toEqual([0, 0]);
  });
});

describe("an end that hangs", () => {
  it("is abandoned and reported, and the next plugin has its own time", async () => {
    const ended: string[] = [];
    const plugins: Plugin[] = [
      { name: "hangs", end: never },
      { ...told, end: () => void ended.push("told") },
    ];
    const ending = new PluginStack(plugins).begin().end();
    expect(await endsWithin(29, ending)).toBe(false);
    expect(await endsWithin(2, ending)).toBe(true);
    expect([ended, faults]).toEqual([["told"], ["end of hangs"]]);
  });

  it("is waited for a short while only after an abort, before it or meanwhile", async () => {
    for (const before of [true, false]) {
      const controller = new AbortController();
      const run = new PluginStack([told, { name: "hangs", end: never }]).begin({ signal: controller.signal });
      run.check();
      if (before) controller.abort("enough");
      const ending = run.end();
      if (!before) controller.abort("enough");
      expect(await endsWithin(6, ending)).toBe(true);
    }
  });
});

describe("a layer that asks how an answer ended, after it has read it", () => {
  const ends: unknown[] = [];
  const asking = (name: string): Plugin =>
    layer(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.final().catch(() => {});
      ends.push((await invocation.result?.settled)?.status);
      await invocation.result?.ready().catch(() => {});
    }, name);
  const asks = asking("asks");
  afterEach(() => {
    ends.length = 0;
  });

  it("is notified, whether it was complete or streamed, and the answer is passed on", async () => {
    expect(await said("model", [asking("outer"), asks], request, streams("a", "b"))).toBe("ab");
    expect(await said("model", [asks], request, answers("ab"))).toBe("ab");
    expect(ends).toEqual(["completed", "completed", "completed"]);
  });

  it("is told that it waits", async () => {
    const { outcome } = await call("model", [asks], request, async (c) => c.respond({ suspended: [] }));
    expect([ends, (await outcome[Symbol.asyncIterator]().next()).value]).toEqual([["suspended"], { suspended: [] }]);
  });

  it("may read it again, pipe it, and answer with it", async () => {
    const again = layer(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.final();
      for (let time = 0; time < 2; time++) {
        if (invocation.result !== undefined) ends.push(await collect(invocation.result));
      }
      invocation.respond({ stream: invocation.result ?? words("lost") });
      invocation.pipe({ settle: ({ status }) => void ends.push(status) });
    });
    expect(await said("model", [asks, again], request, streams("a", "b"))).toBe("ab");
    expect(ends).toEqual(["ab", "ab", "completed", "completed"]);
  });

  it("is told of a failure", async () => {
    const broken = async function* () {
      yield* words("a");
      throw new MiddlewareTermination("spent", { scope: "call" });
    };
    const { outcome } = await call("model", [asks], request, async (c) => c.respond({ stream: broken() }));
    await expect(outcome.final()).rejects.toThrow("spent");
    expect(ends).toEqual(["failed"]);
  });
});
