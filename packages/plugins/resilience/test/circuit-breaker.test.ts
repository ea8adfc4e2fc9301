import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { type CircuitBreakerOptions, circuitBreaker, ResilienceError } from "@suite/resilience";
import { failed, part, Rig, type Scripted } from "./support.js";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const rigOf = (script: readonly Scripted[], options: CircuitBreakerOptions = {}) =>
  new Rig([circuitBreaker({ failures: 2, openFor: 1000, ...options })], script);
const codeOf = async (rig: Rig, model?: string) => {
  const { error } = await rig.read(model === undefined ? {} : { model });
  return ResilienceError.is(error) ? error.code : error === undefined ? "said" : "failed";
};
const codes = async (rig: Rig, times: number) => {
  const all: string[] = [];
  for (let each = 0; each < times; each++) all.push(await codeOf(rig));
  return all;
};

describe("a circuit", () => {
  it("opens after so many failures, refuses without asking, and says for how long", async () => {
    const rig = rigOf([failed(500), failed(429)]);
    expect(await codes(rig, 2)).toEqual(["failed", "failed"]);
    jest.advanceTimersByTime(400);
    const { error } = await rig.read();
    expect(error).toMatchObject({ code: "ERR_RESILIENCE_CIRCUIT_OPEN", retryAfter: 600 });
    expect(rig.asked).toHaveLength(2);
    expect(rig.decisions).toEqual(["open", "refused"]);
  });

  it("opens after answers that the server ended too early, and after throttling", async () => {
    const cut = Object.assign(new Error("cut"), { code: "ERR_AGENT_MODEL_STREAM_CUT" });
    const throttled = Object.assign(new Error("slow"), {
      name: "ThrottlingException",
      $metadata: { httpStatusCode: 429 },
    });
    const rig = rigOf([[part("half"), cut], throttled]);
    expect(await codes(rig, 3)).toEqual(["failed", "failed", "ERR_RESILIENCE_CIRCUIT_OPEN"]);
  });

  it("stays open for its time, and not longer, if the clock of the machine is set back or forward", async () => {
    const rig = rigOf([failed(500), failed(500)]);
    await codes(rig, 2);
    jest.setSystemTime(Date.now() - 3_600_000);
    jest.advanceTimersByTime(999);
    expect((await rig.read()).error).toMatchObject({ code: "ERR_RESILIENCE_CIRCUIT_OPEN", retryAfter: 1 });
    jest.setSystemTime(Date.now() + 7_200_000);
    expect((await rig.read()).error).toMatchObject({ code: "ERR_RESILIENCE_CIRCUIT_OPEN", retryAfter: 1 });
    jest.advanceTimersByTime(1);
    expect(await codeOf(rig)).toBe("said");
  });

  it("lets one call try after a while, and closes when it ends well", async () => {
    const rig = rigOf([failed(500), failed(500)]);
    await codes(rig, 2);
    jest.advanceTimersByTime(1000);
    const trying = await rig.ask();
    expect(await codeOf(rig)).toBe("ERR_RESILIENCE_CIRCUIT_OPEN");
    await trying.final();
    expect(await codes(rig, 2)).toEqual(["said", "said"]);
    expect(rig.decisions).toEqual(["open", "half_open", "refused", "closed"]);
  });

  it("opens again when that call fails", async () => {
    const rig = rigOf([failed(500), failed(500), failed(500)]);
    await codes(rig, 2);
    jest.advanceTimersByTime(1000);
    expect(await codes(rig, 2)).toEqual(["failed", "ERR_RESILIENCE_CIRCUIT_OPEN"]);
    expect(rig.decisions).toEqual(["open", "half_open", "open", "refused"]);
  });

  it("stays half open after a call that says nothing about the model, and the next one tries", async () => {
    const rig = rigOf([failed(500), failed(500), failed(400)]);
    await codes(rig, 2);
    jest.advanceTimersByTime(1000);
    expect(await codes(rig, 2)).toEqual(["failed", "said"]);
    expect(rig.decisions).toEqual(["open", "half_open", "half_open", "closed"]);
  });

  it("does not wait for ever for a call that tries and is never read", async () => {
    const rig = rigOf([failed(500), failed(500), [part("a")]]);
    await codes(rig, 2);
    jest.advanceTimersByTime(1000);
    await rig.ask();
    expect(await codeOf(rig)).toBe("ERR_RESILIENCE_CIRCUIT_OPEN");
    jest.advanceTimersByTime(1000);
    expect(await codeOf(rig)).toBe("said");
  });

  it("counts a stream that breaks off as failed, and one that is read to its end as good", async () => {
    const rig = rigOf([[part("a"), failed(500)], [part("a")], [part("a"), failed(500)], [part("a"), failed(500)]]);
    expect(await codes(rig, 5)).toEqual(["failed", "said", "failed", "failed", "ERR_RESILIENCE_CIRCUIT_OPEN"]);
  });

  it("counts neither an abort nor an error of the request", async () => {
    const breaker = circuitBreaker({ failures: 1 });
    const abort = new AbortController();
    const aborted = new Rig([breaker], [[part("a"), part("b")]], { signal: abort.signal });
    const reading = (await aborted.ask())[Symbol.asyncIterator]();
    await reading.next();
    abort.abort(failed(500));
    await reading.next().catch(() => {});
    await aborted.run.end();
    expect(await codes(new Rig([breaker], [failed(400), failed(401)]), 3)).toEqual(["failed", "failed", "said"]);
  });

  it("counts failures among the last so many calls", async () => {
    const script = [failed(500), [part("a")], [part("a")], failed(500), failed(500)];
    expect(await codes(rigOf(script, { of: 3 }), 6)).toEqual([
      ...["failed", "said", "said"],
      "failed",
      "failed",
      "ERR_RESILIENCE_CIRCUIT_OPEN",
    ]);
  });

  it("is of each model by itself", async () => {
    const rig = rigOf([failed(500)], { failures: 1 });
    expect([await codeOf(rig, "a"), await codeOf(rig, "b"), await codeOf(rig, "a")]).toEqual([
      ...["failed", "said", "ERR_RESILIENCE_CIRCUIT_OPEN"],
    ]);
  });

  it("is forgotten where there are too many, the one used longest ago first", async () => {
    const rig = rigOf([failed(500), failed(500), failed(500)], { failures: 1, maxKeys: 2 });
    for (const model of ["a", "b", "c"]) await codeOf(rig, model);
    expect([await codeOf(rig, "b"), await codeOf(rig, "a")]).toEqual(["ERR_RESILIENCE_CIRCUIT_OPEN", "said"]);
  });

  it("only tells what it would refuse in monitor mode", async () => {
    const rig = rigOf([failed(500), failed(500)], { mode: "monitor" });
    expect(await codes(rig, 3)).toEqual(["failed", "failed", "said"]);
    expect(rig.told.map((told) => told.type === "decision" && [told.decision, told.enforced])).toEqual([
      ["open", false],
      ["refused", false],
    ]);
  });
});

it("an invalid option is rejected on creation", () => {
  expect(() => circuitBreaker({ failures: 0 })).toThrow(/at least 1/);
  expect(() => circuitBreaker({ failures: 5, of: 4 })).toThrow(/must not exceed/);
  expect(() => circuitBreaker({ openFor: -1 })).toThrow(/greater than 0/);
});
