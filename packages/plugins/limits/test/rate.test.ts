import { describe, expect, it, jest } from "@jest/globals";
import { memoryStateStore } from "@suite/kit/store";
import { LimitsError, rateLimit } from "@suite/limits";
import { Rig, reply } from "./support.js";

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "passed",
    (error) => (LimitsError.is(error) ? error.code : error),
  );
/** A window that does not end during a test. */
const window = 2 ** 31 - 1;
const usage = { inputTokens: 60, outputTokens: 50 };

describe("a rate that is refused", () => {
  it("lets so many calls through in a window, in all processes that share the store", async () => {
    const store = memoryStateStore();
    const rigs = [1, 2].map(() => new Rig([rateLimit({ calls: 3, window, whenExceeded: "refuse", store })]));
    const all = await Promise.all([0, 1, 0, 1, 0].map((which) => code((rigs[which] as Rig).model())));
    expect(all.filter((each) => each === "passed")).toHaveLength(3);
    expect(all.filter((each) => each === "ERR_LIMITS_RATE")).toHaveLength(2);
  });

  it("is one window for machines whose clocks differ: the store's", async () => {
    let time = 0;
    const store = memoryStateStore({ now: () => time });
    const clock = jest.spyOn(Date, "now");
    const rigs = [1, 2].map(() => new Rig([rateLimit({ calls: 3, window: 60_000, whenExceeded: "refuse", store })]));
    const ask = (which: number, own: number) => {
      clock.mockReturnValue(own);
      return code((rigs[which] as Rig).model());
    };
    const first = [await ask(0, 59_999), await ask(1, 60_001), await ask(0, 59_999), await ask(1, 7_200_000)];
    time = 60_001;
    const next = await ask(1, 30_000);
    clock.mockRestore();
    expect([...first, next]).toEqual(["passed", "passed", "passed", "ERR_LIMITS_RATE", "passed"]);
  });

  it("says when to try again, and asks no model", async () => {
    const rig = new Rig([rateLimit({ minInterval: 5000, whenExceeded: "refuse" })]);
    await rig.model();
    const error = await rig.model().catch((reason) => reason);
    expect(error.retryAfter).toBeGreaterThan(0);
    expect(error.retryAfter).toBeLessThanOrEqual(5000);
    expect(rig.asked).toHaveLength(1);
    expect(rig.told).toEqual([expect.objectContaining({ limit: "rate.min_interval", maximum: 5000, enforced: true })]);
  });

  it("is separate for each tenant, and for each model if configured", async () => {
    const limit = rateLimit({
      calls: 1,
      window,
      whenExceeded: "refuse",
      perModel: true,
      tenant: ({ userId }) => userId,
    });
    const ask = (userId: string, model: string) => code(new Rig([limit], { userId }).model(undefined, { model }));
    const asked = [await ask("a", "x"), await ask("b", "x"), await ask("a", "y"), await ask("a", "x")];
    expect(asked).toEqual(["passed", "passed", "passed", "ERR_LIMITS_RATE"]);
  });

  it("counts the tokens of answers that have ended", async () => {
    const rig = new Rig([rateLimit({ tokens: 200, window, whenExceeded: "refuse" })]);
    const answers = [];
    for (let each = 0; each < 3; each++) answers.push(await code(rig.model(reply("said", usage))));
    expect(answers).toEqual(["passed", "passed", "ERR_LIMITS_RATE"]);
  });

  it("counts no token of a usage that is none", async () => {
    const rig = new Rig([rateLimit({ tokens: 5, window, whenExceeded: "refuse" })]);
    const wrong = [
      { inputTokens: "9", outputTokens: "9" },
      { inputTokens: null, outputTokens: Number.NaN },
    ];
    for (const usage of [...wrong, { inputTokens: -9, outputTokens: 4 }]) {
      expect(await code(rig.model(reply("said", usage as never)))).toBe("passed");
    }
    expect(await code(rig.model(reply("said", { inputTokens: 0, outputTokens: 1 })))).toBe("passed");
    expect(await code(rig.model())).toBe("ERR_LIMITS_RATE");
  });

  it("counts each call in all rates in monitor mode, and tells each rate that it exceeds", async () => {
    for (const [minInterval, intervals] of [
      [window, 7],
      [undefined, 0],
    ] as const) {
      const rates = minInterval === undefined ? {} : { minInterval };
      const rig = new Rig([rateLimit({ ...rates, calls: 3, tokens: 200, window, mode: "monitor" })]);
      for (let each = 0; each < 8; each++) await rig.model(reply("said", usage));
      const count = (limit: string) => rig.told.filter((told) => told.type === "limit" && told.limit === limit).length;
      expect([count("rate.min_interval"), count("rate.calls"), count("rate.tokens")]).toEqual([intervals, 5, 6]);
      expect(rig.asked).toHaveLength(8);
    }
  });

  it("is each tenant's own, whatever its name contains", async () => {
    const limit = rateLimit({
      ...{ calls: 1, window, whenExceeded: "refuse", perModel: true, name: "n" },
      tenant: ({ userId }) => userId,
    });
    const ask = (userId: string, model: string) => code(new Rig([limit], { userId }).model(undefined, { model }));
    const pairs = [
      ["a:/b", "c"],
      ["a", "b:/c"],
    ] as const;
    for (const [userId, model] of pairs) expect(await ask(userId, model)).toBe("passed");
  });

  it("lets all pass in monitor mode, and tells it", async () => {
    const rig = new Rig([rateLimit({ calls: 1, window, mode: "monitor" })]);
    for (let each = 0; each < 3; each++) await rig.model();
    expect(rig.told.map((told) => told.type === "limit" && told.enforced)).toEqual([false, false]);
  });
});

describe("calls within the rate", () => {
  it.each([1, 900, 1001, 1500, 5000])("pass, however many come at once: %d", async (many) => {
    for (const whenExceeded of ["wait", "refuse"] as const) {
      const rig = new Rig([rateLimit({ calls: many, window, whenExceeded })]);
      const all = await Promise.all(Array.from({ length: many }, () => code(rig.model())));
      expect(all.filter((each) => each !== "passed")).toEqual([]);
      expect(await code(new Rig([rateLimit({ calls: 1, window, whenExceeded, maxWait: 1 })]).model())).toBe("passed");
    }
  });

  it("ask the store at once, and not one after the other", async () => {
    const store = memoryStateStore();
    let [asking, most] = [0, 0];
    const slow = {
      ...store,
      async add(...given: Parameters<typeof store.add>) {
        most = Math.max(most, ++asking);
        await new Promise((resolve) => setTimeout(resolve, 5));
        asking--;
        return store.add(...given);
      },
    };
    const rig = new Rig([rateLimit({ calls: 64, window, store: slow })]);
    await Promise.all(Array.from({ length: 64 }, () => rig.model()));
    expect(most).toBe(64);
  });

  it("pass up to the rate, and the others wait in order or are refused", async () => {
    const abort = new AbortController();
    const limit = rateLimit({ calls: 2000, window: 1_000_000, maxWaiting: 500, maxWait: 2_000_000 });
    const rig = new Rig([limit], { signal: abort.signal });
    const seen = { passed: 0, refused: 0 };
    const all = Array.from({ length: 5000 }, () =>
      code(rig.model()).then((how) => void (how === "passed" ? seen.passed++ : seen.refused++)),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([seen, all.length]).toEqual([{ passed: 2000, refused: 2500 }, 5000]);
    abort.abort(new Error("end"));
    await Promise.all(all);
    expect(seen).toEqual({ passed: 2000, refused: 3000 });
  });
});

describe("a rate that is waited for", () => {
  it("lets calls through one after the other, in the order in which they came", async () => {
    const rig = new Rig([rateLimit({ minInterval: 30 })]);
    const order: number[] = [];
    const at: number[] = [];
    await Promise.all(
      [0, 1, 2, 3].map((each) =>
        rig.model().then(() => {
          order.push(each);
          at.push(performance.now());
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3]);
    expect((at[3] as number) - (at[0] as number)).toBeGreaterThanOrEqual(60); // timers may be a little early
    expect(rig.told.filter(({ type }) => type === "decision").length).toBe(3);
  });

  it("is left at once when the run is aborted, and those behind it keep their places", async () => {
    const abort = new AbortController();
    const limit = rateLimit({ minInterval: 50 });
    const [aborted, patient] = [new Rig([limit], { signal: abort.signal }), new Rig([limit])];
    await patient.model();
    const left = aborted.model().catch((error) => error);
    const stays = code(patient.model());
    const gone = new Error("gone");
    abort.abort(gone);
    expect(await left).toBe(gone);
    expect(await stays).toBe("passed");
    expect(aborted.asked).toEqual([]);
  });

  it("is refused where it would take longer than it may, also in the queue", async () => {
    const long = new Rig([rateLimit({ minInterval: 60_000, maxWait: 1000 })]);
    await long.model();
    expect(await code(long.model())).toBe("ERR_LIMITS_RATE");
    const queue = new Rig([rateLimit({ minInterval: 60, maxWait: 100 })]);
    const all = await Promise.all(Array.from({ length: 8 }, () => code(queue.model())));
    expect(all.filter((each) => each === "ERR_LIMITS_RATE").length).toBeGreaterThan(3);
    expect(all[0]).toBe("passed");
  });

  it("is refused where too many wait already", async () => {
    const rig = new Rig([rateLimit({ minInterval: 20, maxWaiting: 2 })]);
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => code(rig.model())));
    expect(all).toEqual(["passed", "passed", "passed", "ERR_LIMITS_RATE", "ERR_LIMITS_RATE"]);
    expect(rig.told.filter(({ type }) => type === "limit")).toMatchObject([
      { limit: "rate.waiting", maximum: 2 },
      { limit: "rate.waiting" },
    ]);
  });

  it("is not overtaken by calls that come while others wait", async () => {
    const rig = new Rig([rateLimit({ calls: 1, window: 30 })]);
    const order: number[] = [];
    const ask = (each: number) => rig.model().then(() => void order.push(each));
    const asked = [ask(0), ask(1)];
    for (let each = 2; each < 8; each++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      asked.push(ask(each));
    }
    await Promise.all(asked);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("is told once for a call that has to wait several times", async () => {
    const answers = [false, true, false, false, true];
    const add = async () => ({ added: answers.shift() ?? true, total: 1, expiresIn: 20 });
    const rig = new Rig([rateLimit({ calls: 1, store: { ...memoryStateStore(), add } })]);
    const first = rig.model();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([first, rig.model()]);
    expect([answers, rig.told.map((each) => each.type === "decision" && each.decision)]).toEqual([
      [],
      ["wait", "wait"],
    ]);
  });

  it("tells one wait of a call once, and an abort of it as no failure of the store", async () => {
    const abort = new AbortController();
    const limit = rateLimit({ calls: 1, window: 40, onStoreError: "open" });
    const rig = new Rig([limit]);
    await rig.model();
    await Promise.all([rig.model(), rig.model()]);
    expect(rig.told.filter((each) => each.type === "decision" && each.decision === "wait")).toHaveLength(2);
    const aborted = new Rig([limit], { signal: abort.signal });
    const left = aborted.model().catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const gone = new Error("gone");
    abort.abort(gone);
    expect(await left).toBe(gone);
    expect(aborted.told.filter((each) => each.type === "decision" && each.decision !== "wait")).toEqual([]);
  });

  it("fails closed with the store's own error, or open, and says so", async () => {
    const store = { ...memoryStateStore(), add: () => Promise.reject(new Error("down")) };
    await expect(new Rig([rateLimit({ calls: 1, store })]).model()).rejects.toThrow("down");
    const open = new Rig([rateLimit({ calls: 1, store, onStoreError: "open" })]);
    await open.model();
    expect(open.told).toEqual([expect.objectContaining({ decision: "fail_open" })]);
  });
});

it("a rate that limits nothing, or an option that is none, is refused when it is made", () => {
  expect(() => rateLimit({})).toThrow(/needs minInterval/);
  expect(() => rateLimit({ calls: 0 })).toThrow(/at least 1/);
  expect(() => rateLimit({ calls: 1, window: 2 ** 31 })).toThrow(/24 days/);
  expect(() => rateLimit({ calls: 1, tennant: () => "a" } as never)).toThrow(/Unknown option/);
});
