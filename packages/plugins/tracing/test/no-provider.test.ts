import { afterEach, expect, it, jest } from "@jest/globals";
import type { Invocation, Message } from "@suite/core";
import { tracing } from "../src/index.js";
import { Harness, outline, startSdk, stopSdk, words } from "./support.js";

afterEach(stopSdk);

it.each(["agent", "model", "tool", "memory"] as const)(
  "touches neither request nor answer of a call of kind %s while no provider is registered",
  async (kind) => {
    const next = jest.fn(async () => {});
    const untouchable = new Proxy({} as never, {
      get: (_, property) => {
        throw new Error(`read ${String(property)}`);
      },
    });
    await tracing({ content: "full" })[kind](untouchable, next);
    expect(next).toHaveBeenCalledTimes(1);
  },
);

it("pipes no stage into an answer while no provider is registered", async () => {
  const harness = new Harness();
  const run = harness.begin();
  const core = async (call: Invocation<"model">) => {
    call.pipe = () => {
      throw new Error("piped");
    };
    call.respond({ stream: words("a") });
  };
  const outcome = await harness.stack.call("model", run, { model: "m", messages: [] as Message[], tools: [] }, core);
  await expect(outcome.final()).resolves.toHaveProperty("finishReason", "stop");
});

it("hears nothing while no provider is registered", () => {
  const untouchable = new Proxy(
    {},
    {
      get: () => {
        throw new Error("read");
      },
    },
  );
  expect(() => tracing().observe(untouchable as never, untouchable as never)).not.toThrow();
});

it("notices a provider that is registered later, and one that is gone or another", async () => {
  const harness = new Harness();
  const run = harness.begin();
  const chat = async () => (await harness.chat(run, () => words("a"))).final();
  await chat();
  const first = startSdk();
  await chat();
  expect(outline(first.getFinishedSpans())).toEqual(["chat gpt-5"]);
  stopSdk();
  await chat();
  expect(first.getFinishedSpans()).toHaveLength(1);
  const second = startSdk();
  await chat();
  expect(outline(second.getFinishedSpans())).toEqual(["chat gpt-5"]);
  expect(first.getFinishedSpans()).toHaveLength(1);
});
