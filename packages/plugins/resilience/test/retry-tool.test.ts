import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, MiddlewareTermination, type Plugin } from "@suite/core";
import { ResilienceError, type RetryToolOptions, retryTool } from "@suite/resilience";
import { coded, ToolRig, type ToolScript } from "./tool-support.js";

const retry = (options: Partial<RetryToolOptions> = {}): Plugin =>
  retryTool({ tools: ["search"], initialDelay: 0, ...options });
const down = (): Error => new RangeError("the key is hunter2");

describe("retryTool", () => {
  it("runs a failed tool again, with the same arguments, and tells so", async () => {
    const rig = new ToolRig([retry()], [down(), down()]);
    expect(await rig.call()).toEqual({ pieces: ["found"], failed: false });
    expect(rig.ran).toEqual([{ q: 1 }, { q: 1 }, { q: 1 }]);
    expect(rig.decisions).toEqual(["retry", "retry"]);
    expect(rig.told.at(-1)).toMatchObject({ place: "search", reason: "the attempt failed: RangeError" });
    expect(rig.told.at(-1)).toMatchObject({ details: { attempt: 2, wait: 0 } });
  });

  it("runs only tools again that are named, by their names or by a function", async () => {
    const other = { tool: { name: "pay" } };
    for (const tools of [["search"], ({ tool }: { tool: { name: string } }) => tool.name === "search"]) {
      const rig = new ToolRig([retry({ tools } as never)], [down()]);
      await expect(rig.call(other)).rejects.toThrow(RangeError);
      expect(rig.ran).toHaveLength(1);
    }
  });

  it("waits longer each time, by a factor, up to a cap", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    const backoff = { initialDelay: 1000, factor: 3, maxDelay: 5000, jitter: false, maxAttempts: 4 };
    const rig = new ToolRig([retry(backoff)], [down(), down(), down()]);
    const calling = rig.call();
    const ran: number[] = [];
    for (const wait of [0, 999, 1, 2999, 1, 4999, 1]) {
      await jest.advanceTimersByTimeAsync(wait);
      ran.push(rig.ran.length);
    }
    expect(ran).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    expect(await calling).toMatchObject({ failed: false });
  });

  it("tells the model, when it has failed for the last time, nothing but the error's name", async () => {
    const rig = new ToolRig([retry({ maxAttempts: 2 })], [down(), down()]);
    expect(await rig.call()).toEqual({
      pieces: [
        "search failed after 2 attempts, the last with RangeError. Continue without it, or try other arguments.",
      ],
      failed: true,
    });
    expect(rig.decisions).toEqual(["retry", "exhausted"]);
  });

  it("fails with the last error, or sends the text of a function to the model if configured", async () => {
    const last = new Error("the last");
    const fails = new ToolRig([retry({ maxAttempts: 2, onExhausted: "error" })], [down(), last]);
    await expect(fails.call()).rejects.toBe(last);
    const says = retry({ maxAttempts: 1, onExhausted: (_, attempts, { tool }) => `${tool.name}: ${attempts}` });
    expect(await new ToolRig([says], [down()]).call()).toEqual({ pieces: ["search: 1"], failed: true });
  });

  const never: readonly (readonly [string, Error])[] = [
    ["a person's refusal", coded("ERR_AGENT_TOOL_REJECTED")],
    ["a person's refusal in the AI SDK", coded("ERR_AI_SDK_TOOL_REJECTED")],
    ["a call that the AI SDK has no place for", coded("ERR_AI_SDK_UNSUPPORTED")],
    ["a call that OpenAI Agents has no place for", coded("ERR_OPENAI_AGENTS_UNSUPPORTED")],
    ["a call that waits", coded("ERR_AGENT_TOOL_WAITS")],
    ["arguments that were refused", coded("ERR_AGENT_TOOL_INPUT")],
    ["arguments that LangChain refused", Object.assign(new Error("bad"), { name: "ToolInvocationError" })],
    ["an interrupt of LangGraph", Object.assign(new Error("waits"), { name: "GraphInterrupt" })],
    ["what was stopped on purpose", new MiddlewareTermination("enough", { scope: "call" })],
    ["an abort", Object.assign(new Error("aborted"), { name: "AbortError" })],
  ];
  it.each(never)("does not try again: %s", async (_, error) => {
    const rig = new ToolRig([retry()], [error]);
    await expect(rig.call()).rejects.toBe(error);
    expect([rig.ran.length, rig.told.length]).toEqual([1, 0]);
  });

  it("does not try again what another plugin has refused, unless that was a time-out", async () => {
    const refused = new ToolRig([retry()], [new ResilienceError("ERR_RESILIENCE_CIRCUIT_OPEN", "Not now.")]);
    await expect(refused.call()).rejects.toMatchObject({ code: "ERR_RESILIENCE_CIRCUIT_OPEN" });
    expect(refused.ran).toHaveLength(1);
    const late = new ToolRig([retry()], [new ResilienceError("ERR_RESILIENCE_TIMEOUT", "It took too long.")]);
    expect(await late.call()).toMatchObject({ failed: false });
  });

  it("tries again what it is told to, and nothing else", async () => {
    const only = () => retry({ retryOn: [RangeError, "E_BUSY"] });
    for (const [script, ran] of [
      [down(), 2],
      [coded("E_BUSY"), 2],
      [new TypeError("no"), 1],
    ] as const) {
      const rig = new ToolRig([only()], [script]);
      await rig.call().catch(() => {});
      expect(rig.ran).toHaveLength(ran);
    }
  });

  it("retries after a failed result, but not after an intended answer of an inner layer", async () => {
    const failed: ToolScript = { value: "no", isError: true };
    const rig = new ToolRig([retry({ maxAttempts: 2 })], [failed]);
    expect(await rig.call()).toEqual({ pieces: ["found"], failed: false });
    const limit = definePlugin({
      name: "limit",
      async tool(invocation) {
        invocation.respond({ value: "limit", isError: true });
      },
    });
    const limited = new ToolRig([retry(), limit], []);
    expect(await limited.call()).toEqual({ pieces: ["limit"], failed: true });
    expect(limited.told).toEqual([]);
  });

  it("leaves the answer of the last attempt as it is, where errors are to pass", async () => {
    const failed: ToolScript = { value: "no", isError: true };
    const rig = new ToolRig([retry({ maxAttempts: 2, onExhausted: "error" })], [failed, failed]);
    expect(await rig.call()).toEqual({ pieces: ["no"], failed: true });
  });

  it("runs a tool again that fails before it has told of its progress, and none that fails after", async () => {
    const before = new ToolRig([retry()], [[new Error("cut")], ["half", "whole"]]);
    expect(await before.call()).toMatchObject({ pieces: ["half", "whole"] });
    const after = new ToolRig([retry()], [["half", new Error("cut")]]);
    await expect(after.call()).rejects.toThrow("cut");
    expect(after.ran).toHaveLength(1);
  });

  it("stops waiting at an abort, and leaves no timer", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    const controller = new AbortController();
    const rig = new ToolRig([retry({ initialDelay: 1000 })], [down()], { signal: controller.signal });
    const calling = rig.call();
    calling.catch(() => {});
    await jest.advanceTimersByTimeAsync(10);
    expect(jest.getTimerCount()).toBe(1);
    controller.abort(new Error("enough"));
    await expect(calling).rejects.toThrow("enough");
    await rig.run.end();
    expect([rig.ran.length, jest.getTimerCount()]).toEqual([1, 0]);
    jest.useRealTimers();
  });

  it("lets the error pass in monitor mode, and reports the retries that it would make", async () => {
    const rig = new ToolRig([retry({ mode: "monitor" })], [down()]);
    await expect(rig.call()).rejects.toThrow(RangeError);
    expect(rig.told).toEqual([expect.objectContaining({ decision: "retry", enforced: false })]);
  });

  it.each([
    [{}, /tools of retryTool\(\) must be/],
    [{ tools: [] }, /non-empty/],
    [{ tools: "search" }, /tools of retryTool/],
    [{ tools: ["a"], maxAttempts: 0 }, /at least 1/],
    [{ tools: ["a"], maxAttempts: -1 }, /at least 1/],
    [{ tools: ["a"], factor: Number.NaN }, /at least 0/],
    [{ tools: ["a"], initialDelay: 5, maxDelay: 1 }, /must not exceed maxDelay/],
    [{ tools: ["a"], onExhausted: "end" }, /"continue" or "error"/],
    [{ tools: ["a"], retries: 1 }, /Unknown option/],
  ])("refuses options that mean nothing: %p", (options, why) => {
    expect(() => retryTool(options as never)).toThrow(why);
    expect(() => retryTool(options as never)).toThrow(expect.objectContaining({ code: "ERR_RESILIENCE_OPTION" }));
  });
});
