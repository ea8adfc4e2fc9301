import { describe, expect, it, jest } from "@jest/globals";
import { Clock, inTime, sleep, late as tooLate, within } from "@suite/kit/time";

const late = () => new Error("late");
const hangs = () => new Promise<never>(() => {});

describe("within", () => {
  it("returns the result of the work, and leaves no timer and no listener", async () => {
    const caller = new AbortController();
    const off = jest.spyOn(caller.signal, "removeEventListener");
    const timers = process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
    await expect(within(60_000, () => 1, { late, signal: caller.signal })).resolves.toBe(1);
    await expect(within(60_000, () => Promise.reject(new TypeError("own")), { late })).rejects.toThrow("own");
    expect(off).toHaveBeenCalledTimes(1);
    expect(process.getActiveResourcesInfo().filter((each) => each === "Timeout")).toHaveLength(timers);
  });

  it("throws the error of the limit, whatever the work makes of the abort", async () => {
    const listens = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("of the work"))));
    await expect(within(1, listens, { late })).rejects.toThrow("late");
    await expect(within(1, hangs, { late })).rejects.toThrow("late");
  });

  it("ends with the caller's reason, and begins nothing once the caller has stopped", async () => {
    const caller = new AbortController();
    const ending = within(60_000, hangs, { late, signal: caller.signal });
    caller.abort(new RangeError("stopped"));
    await expect(ending).rejects.toThrow("stopped");
    const work = jest.fn();
    await expect(within(60_000, work, { late, signal: caller.signal })).rejects.toThrow("stopped");
    expect(work).not.toHaveBeenCalled();
  });
});

describe("sleep", () => {
  it("waits, or ends with the caller's reason, also one given before; and leaves no timer and no listener", async () => {
    const caller = new AbortController();
    const [on, off] = [jest.spyOn(caller.signal, "addEventListener"), jest.spyOn(caller.signal, "removeEventListener")];
    const timers = process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
    await sleep(1, caller.signal);
    expect([on.mock.calls.length, off.mock.calls.length]).toEqual([1, 1]);
    const sleeping = sleep(60_000, caller.signal);
    caller.abort(new RangeError("stopped"));
    await expect(sleeping).rejects.toThrow("stopped");
    await expect(sleep(60_000, caller.signal)).rejects.toThrow("stopped");
    expect(process.getActiveResourcesInfo().filter((each) => each === "Timeout")).toHaveLength(timers);
  });
});

it("a clock runs while something is waited for and nobody is asked, and is over once", () => {
  jest.useFakeTimers();
  try {
    const over = jest.fn();
    const clock = new Clock(100, over);
    jest.advanceTimersByTime(1000);
    clock.start();
    clock.start();
    jest.advanceTimersByTime(60);
    clock.pause();
    jest.advanceTimersByTime(1000);
    clock.resume();
    clock.stop();
    jest.advanceTimersByTime(39);
    expect(over).not.toHaveBeenCalled();
    clock.stop();
    jest.advanceTimersByTime(1000);
    clock.start();
    jest.advanceTimersByTime(2);
    expect(over).toHaveBeenCalledTimes(1);
    clock.end();
    jest.advanceTimersByTime(1000);
    expect(over).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

describe("inTime", () => {
  it("returns the value of the promise, or late, and leaves no timer and no listener", async () => {
    const caller = new AbortController();
    const off = jest.spyOn(caller.signal, "removeEventListener");
    const timers = process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
    await expect(inTime(Promise.resolve(1), 60_000, caller.signal)).resolves.toBe(1);
    await expect(inTime(Promise.reject(new TypeError("own")), 60_000)).rejects.toThrow("own");
    await expect(inTime(hangs(), 1, caller.signal)).resolves.toBe(tooLate);
    expect(off).toHaveBeenCalledTimes(2);
    expect(process.getActiveResourcesInfo().filter((each) => each === "Timeout")).toHaveLength(timers);
  });

  it("rejects with the reason of an abort, before and during the wait", async () => {
    const caller = new AbortController();
    const waiting = inTime(hangs(), 60_000, caller.signal);
    caller.abort(new RangeError("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    await expect(inTime(Promise.resolve(1), 60_000, caller.signal)).rejects.toThrow("stopped");
  });
});

it("sleep waits without a signal", async () => {
  await expect(sleep(1)).resolves.toBeUndefined();
});
