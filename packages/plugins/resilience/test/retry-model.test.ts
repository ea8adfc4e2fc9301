import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { MiddlewareTermination } from "@suite/core";
import { type RetryModelOptions, retryModel } from "@suite/resilience";
import { failed, part, Rig, type Scripted } from "./support.js";

/** The error of the model clients of @suite/agent for a stream that ends cleanly, but before its last event. */
const cut = Object.assign(new Error("The stream ended early."), { code: "ERR_AGENT_MODEL_STREAM_CUT" });

const retry = (options: RetryModelOptions = {}) => retryModel({ initialDelay: 0, ...options });
const asked = async (script: readonly Scripted[], options?: RetryModelOptions) => {
  const rig = new Rig([retry(options)], script);
  return { ...(await rig.read()), rig, asked: rig.asked.length };
};

describe("a model call that fails", () => {
  it("is tried again until it succeeds, and each time is told", async () => {
    const { pieces, rig } = await asked([failed(500), failed(429)]);
    expect(pieces).toEqual(["said"]);
    expect(rig.decisions).toEqual(["retry", "retry"]);
    const [told] = rig.told;
    expect(told).toMatchObject({ reason: "the attempt failed: Error 500", details: { attempt: 1, wait: 0 } });
  });

  it("ends with its last error, unchanged, when all attempts have failed", async () => {
    const last = failed(503);
    const { error, asked: times, rig } = await asked([failed(500), failed(500), last]);
    expect(error).toBe(last);
    expect(times).toBe(3);
    expect(rig.decisions).toEqual(["retry", "retry", "exhausted"]);
  });

  it("ends with an answer that says so, and nothing of the error's message", async () => {
    const { pieces } = await asked([failed(500), failed(500)], { maxAttempts: 2, onExhausted: "continue" });
    expect(pieces).toEqual(["The model call failed: 2 attempts failed, the last with Error 500."]);
  });

  it("ends with the text of a function", async () => {
    const onExhausted = (error: unknown, attempts: number) => `${(error as Error).message}, ${attempts}`;
    expect((await asked([failed(500)], { maxAttempts: 1, onExhausted })).pieces).toEqual(["status 500, 1"]);
  });

  it("is tried again if the server ended the answer too early", async () => {
    expect(await asked([cut])).toMatchObject({ pieces: ["said"], asked: 2 });
    expect(await asked([[cut]])).toMatchObject({ pieces: ["said"], asked: 2 });
    expect(await asked([[part("half"), cut]])).toMatchObject({ pieces: ["half"], error: cut, asked: 1 });
    expect(await asked([[part("half"), cut]], { hold: true })).toMatchObject({ pieces: ["said"], asked: 2 });
  });

  it("is not tried again where that is not worth it", async () => {
    for (const status of [400, 401, 403, 404, 422]) expect((await asked([failed(status)])).asked).toBe(1);
    expect((await asked([new Error("who knows")])).asked).toBe(1);
  });

  it("is tried again on the errors that are named alone", async () => {
    for (const retryOn of [[TypeError], ["E_MINE"], [418], TypeError, (error: unknown) => error instanceof TypeError]) {
      const mine = Object.assign(new TypeError("mine"), { code: "E_MINE", status: 418 });
      expect((await asked([mine], { retryOn })).asked).toBe(2);
      expect((await asked([failed(500)], { retryOn })).asked).toBe(1);
    }
  });

  it("is never tried again where a layer stopped it on purpose", async () => {
    const stop = new MiddlewareTermination("stop");
    expect(await asked([stop], { retryOn: () => true })).toMatchObject({ asked: 1, error: stop });
  });

  it("is only told of in monitor mode", async () => {
    const error = failed(500);
    const { rig, ...seen } = await asked([error], { mode: "monitor", onExhausted: "continue" });
    expect(seen).toMatchObject({ asked: 1, error });
    expect(rig.told).toEqual([expect.objectContaining({ decision: "retry", enforced: false })]);
  });
});

describe("a streamed answer that breaks off", () => {
  it("is tried again as long as nothing was shown", async () => {
    const { pieces, asked: times } = await asked([[failed(500)], [part("Hello, "), part("Ada.")]]);
    expect(pieces).toEqual(["Hello, ", "Ada."]);
    expect(times).toBe(2);
  });

  it("is not held back in monitor mode", async () => {
    const { pieces } = await asked([[part("Hello, "), part("Ada."), failed(500)]], { hold: true, mode: "monitor" });
    expect(pieces).toEqual(["Hello, ", "Ada."]);
  });

  it("passes its error on where something was shown", async () => {
    const error = failed(500);
    const seen = await asked([[part("Hel"), error]]);
    expect(seen).toMatchObject({ pieces: ["Hel"], error, asked: 1 });
  });

  it("is tried again, whenever it breaks off, where it is held back", async () => {
    const { pieces, asked: times } = await asked([[part("Hel"), failed(500)], [part("Hello")]], { hold: true });
    expect(pieces).toEqual(["Hello"]);
    expect(times).toBe(2);
  });
});

describe("a wait", () => {
  afterEach(() => void jest.useRealTimers());

  it("is aborted with the run, and leaves no timer", async () => {
    jest.useFakeTimers();
    const abort = new AbortController();
    const rig = new Rig([retryModel()], [failed(500)], { signal: abort.signal });
    const reading = rig.read();
    await jest.advanceTimersByTimeAsync(100);
    const reason = new Error("gone");
    abort.abort(reason);
    expect((await reading).error).toBe(reason);
    await rig.run.end();
    expect(jest.getTimerCount()).toBe(0);
    expect(rig.asked).toHaveLength(1);
  });

  it("grows by a factor up to a maximum if the provider requests no delay", async () => {
    jest.useFakeTimers();
    const backoff = { initialDelay: 1000, factor: 3, maxDelay: 5000, jitter: false, maxAttempts: 4 };
    const rig = new Rig([retryModel(backoff)], [failed(500), failed(500), failed(500)]);
    const reading = rig.read();
    await jest.runAllTimersAsync();
    expect((await reading).pieces).toEqual(["said"]);
    const waits = rig.told.flatMap((told) => (told.type === "decision" ? [told.details?.wait] : []));
    expect(waits).toEqual([1000, 3000, 5000]);
  });

  it("is as long as the provider asks, and not longer than the cap", async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    for (const [headers, wait] of [
      [{ "retry-after": "2" }, 2000],
      [{ "retry-after-ms": "30" }, 30],
      [{ "retry-after": later }, 5000],
    ] as const) {
      jest.useFakeTimers();
      const rig = new Rig([retryModel({ maxDelay: 5000 })], [failed(429, headers)]);
      const reading = rig.read();
      await jest.runAllTimersAsync();
      expect((await reading).pieces).toEqual(["said"]);
      expect(rig.told[0]).toMatchObject({ details: { attempt: 1, wait } });
    }
  });
});

it("an invalid option is rejected on creation", () => {
  for (const maxAttempts of [0, -1]) expect(() => retryModel({ maxAttempts })).toThrow(/at least 1/);
  expect(() => retryModel({ initialDelay: Number.NaN })).toThrow(/milliseconds of at least 0/);
  expect(() => retryModel({ initialDelay: 2, maxDelay: 1 })).toThrow(/must not exceed maxDelay/);
  expect(() => retryModel({ retryOn: [] })).toThrow(/list of error classes/);
  expect(() => retryModel({ retries: 3 } as never)).toThrow(/Unknown option/);
});
