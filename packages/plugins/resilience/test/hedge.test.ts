import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Delta, Notification } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { type HedgeOptions, hedge, retryModel } from "@suite/resilience";
import { failed, part, reply, request } from "./support.js";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** One request: it answers after so long, or fails then. */
type Asked = number | { readonly fails: number };

/** A run with a hedge, in which each request does as it is told. */
function rigOf(asks: readonly Asked[], { options = {}, outer = [], branches = true, stream = true }: Setup = {}) {
  const told: Notification[] = [];
  const signals: AbortSignal[] = [];
  const observer = { name: "observer", observe: (each: Notification) => void told.push(each) };
  const stack = new PluginStack([observer, ...outer, hedge({ delay: 100, ...options })]);
  const abort = new AbortController();
  const run = stack.begin({ signal: abort.signal });
  run.takesBranches = branches;
  async function read() {
    let text = "";
    try {
      const outcome = await stack.call("model", run, { ...request, stream }, async (invocation) => {
        const asked = asks[signals.push(invocation.signal) - 1] ?? 0;
        const number = signals.length;
        const time = typeof asked === "number" ? asked : asked.fails;
        const answers = async () => {
          await Promise.race([
            later(time),
            new Promise((_, reject) => invocation.signal.addEventListener("abort", reject)),
          ]);
          if (typeof asked !== "number") throw failed(500 + number);
        };
        if (!stream) {
          await answers();
          return invocation.respond({ value: reply(`${number}`) });
        }
        invocation.respond({
          stream: (async function* (): AsyncGenerator<Delta, void> {
            await answers();
            yield part(`${number}`);
            await later(10);
            yield part(`${number}`);
          })(),
        });
      });
      for await (const delta of outcome)
        if (delta.type === "part" && delta.part.type === "text") text += delta.part.content;
      return { text };
    } catch (error) {
      return { text, error: error as Error & { status?: number } };
    }
  }
  const seen = async () => {
    const reading = read();
    await jest.advanceTimersByTimeAsync(20_000);
    return reading;
  };
  const decisions = () => told.flatMap((each) => (each.type === "decision" ? [each.decision] : []));
  return { seen, read, told, signals, run, abort, decisions };
}

interface Setup {
  readonly options?: Partial<HedgeOptions>;
  readonly outer?: ConstructorParameters<typeof PluginStack>[0];
  readonly branches?: boolean;
  readonly stream?: boolean;
}

describe.each([true, false])("a model call, streamed: %p", (stream) => {
  const says = (number: number) => (stream ? `${number}${number}` : `${number}`);

  it("that begins to answer in time is asked for once, and leaves no timer", async () => {
    const rig = rigOf([50], { stream });
    expect(await rig.seen()).toEqual({ text: says(1) });
    expect([rig.signals.length, jest.getTimerCount(), rig.decisions()]).toEqual([1, 0, []]);
  });

  it("that is slow is made twice, the faster answer is used, and the other cancelled", async () => {
    const rig = rigOf([5000, 10], { stream });
    expect(await rig.seen()).toEqual({ text: says(2) });
    expect(rig.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(rig.signals[0]?.reason).toMatchObject({ code: "ERR_RESILIENCE_HEDGE_LOST" });
    expect(rig.decisions()).toEqual(["hedge"]);
    expect(rig.told.filter(({ type }) => type === "attempt")).toHaveLength(1);
    await rig.run.end();
    expect(jest.getTimerCount()).toBeLessThanOrEqual(1); // the slow model's own
  });

  it("keeps the first answer where that is faster after all", async () => {
    const rig = rigOf([150, 5000], { stream });
    expect(await rig.seen()).toEqual({ text: says(1) });
    expect(rig.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  it("is left to the other request where one fails, whichever it is", async () => {
    expect(await rigOf([{ fails: 150 }, 200], { stream }).seen()).toEqual({ text: says(2) });
    expect(await rigOf([300, { fails: 10 }], { stream }).seen()).toEqual({ text: says(1) });
  });

  it("fails with the later error if both fail, and at once if the first fails early", async () => {
    const both = await rigOf([{ fails: 500 }, { fails: 10 }], { stream }).seen();
    expect(both.error?.status).toBe(501);
    const early = rigOf([{ fails: 10 }, 10], { stream });
    expect((await early.seen()).error?.status).toBe(501);
    expect(early.signals).toHaveLength(1);
  });

  it("is tried again by a retry outside when both have failed", async () => {
    const rig = rigOf([{ fails: 500 }, { fails: 10 }, 10], { stream, outer: [retryModel({ initialDelay: 0 })] });
    expect(await rig.seen()).toEqual({ text: says(3) });
    const attempts = rig.told.filter(({ type }) => type === "attempt");
    expect(attempts).toMatchObject([{ settlement: { status: "failed" } }, { settlement: { status: "failed" } }]);
  });

  it("is only told of in monitor mode", async () => {
    const rig = rigOf([500], { stream, options: { mode: "monitor" } });
    expect(await rig.seen()).toEqual({ text: says(1) });
    expect(rig.signals).toHaveLength(1);
    expect(rig.told).toEqual([expect.objectContaining({ decision: "hedge", enforced: false })]);
  });

  it("is made once if the framework allows only one call at a time, and that is reported", async () => {
    const rig = rigOf([500], { stream, branches: false });
    expect(await rig.seen()).toEqual({ text: says(1) });
    expect(rig.decisions()).toEqual(["not_served"]);
  });

  it("leaves no timer when the run is aborted", async () => {
    const rig = rigOf([50_000], { stream });
    void rig.read();
    await jest.advanceTimersByTimeAsync(10);
    rig.abort.abort(new Error("gone"));
    void rig.run.end();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});

it("an invalid option is rejected on creation", () => {
  expect(() => hedge({} as never)).toThrow(/milliseconds greater than 0/);
  expect(() => hedge({ delay: 0 })).toThrow(/milliseconds greater than 0/);
});
