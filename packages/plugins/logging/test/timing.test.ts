import { expect, it } from "@jest/globals";
import type { Delta, Notification } from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import { type Timing, timing, timings } from "@suite/logging";

const request = { model: "gpt", messages: [], tools: [] };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function* slowly(): AsyncGenerator<Delta, void> {
  await pause(20);
  yield { type: "part", at: "0", part: { type: "text", content: "Hel" } };
  await pause(20);
  yield { type: "part", at: "0", part: { type: "text", content: "lo" } };
}

const ask = async (stack: PluginStack, run: Run, fails = false): Promise<void> => {
  const outcome = await stack.call("model", run, request, async (invocation) => {
    if (fails) throw new Error("503");
    invocation.respond({ stream: slowly() });
  });
  await outcome.final();
};

it("times each call, and the first piece of its answer, for the result and for a listener", async () => {
  const told: Timing[] = [];
  const stack = new PluginStack([timing({ onTiming: (taken) => told.push(taken) })]);
  const run = stack.begin();
  await ask(stack, run);
  await expect(ask(stack, run, true)).rejects.toThrow("503");
  await run.end();
  expect(run.left?.get(timings)).toEqual(told);
  const [answered, failed] = told;
  expect(answered).toMatchObject({ kind: "model", name: "gpt", status: "completed" });
  const { milliseconds = 0, millisecondsToFirstChunk = 0 } = answered ?? {};
  expect(millisecondsToFirstChunk).toBeGreaterThanOrEqual(15);
  expect(milliseconds - millisecondsToFirstChunk).toBeGreaterThanOrEqual(15);
  expect(failed).toMatchObject({ status: "failed" });
  expect(failed).not.toHaveProperty("millisecondsToFirstChunk");
});

it("passes the call's error on if the listener throws, and reports the fault", async () => {
  const told: Notification[] = [];
  const throws = () => {
    throw new Error("mine");
  };
  const observer = { name: "observer", observe: (each: Notification) => void told.push(each) };
  const stack = new PluginStack([observer, timing({ onTiming: throws })]);
  const run = stack.begin();
  await expect(ask(stack, run, true)).rejects.toThrow("503");
  expect(told).toEqual([expect.objectContaining({ type: "fault", where: "timing.onTiming" })]);
  await run.end();
});

it("keeps a bounded number for the result", async () => {
  let told = 0;
  const stack = new PluginStack([timing({ onTiming: () => void told++ })]);
  const run = stack.begin();
  const search = { query: "x" };
  for (let each = 0; each < 1200; each++) {
    const outcome = await stack.call("retrieval", run, search, async (invocation) => {
      invocation.respond({ value: { documents: [] } });
    });
    await outcome.final();
  }
  expect(told).toBe(1200);
  expect(run.get(timings)).toHaveLength(1000);
  await run.end();
});
