import { describe, expect, it } from "@jest/globals";
import { MiddlewareTermination } from "@suite/core";
import { circuitBreaker, type ModelFallbackOptions, modelFallback, retryModel } from "@suite/resilience";
import { failed, part, Rig, reply, type Scripted } from "./support.js";

async function asked(script: readonly Scripted[], options: Partial<ModelFallbackOptions> = {}) {
  const rig = new Rig([modelFallback({ models: ["second", "third"], ...options })], script);
  const seen = await rig.read();
  return { ...seen, rig, models: rig.asked.map(({ model }) => model) };
}

describe("a model that fails", () => {
  it("is followed by the others, in order, until one answers, and each fallback is reported", async () => {
    const { pieces, models, rig } = await asked([failed(500), failed(404), reply("third said")]);
    expect(pieces).toEqual(["third said"]);
    expect(models).toEqual(["first", "second", "third"]);
    const told = rig.told.filter(({ type }) => type === "decision");
    expect(told).toEqual([
      expect.objectContaining({ decision: "fallback", details: { attempt: 1, to: "second" } }),
      expect.objectContaining({ details: { attempt: 2, to: "third" } }),
    ]);
  });

  it("is followed by another after errors of AWS and of streams", async () => {
    const throttled = Object.assign(new Error("slow"), {
      name: "ThrottlingException",
      $metadata: { httpStatusCode: 429 },
    });
    const noCredits = { message: "No credits", code: 402 };
    const script = [throttled, [Object.assign(new Error("paid"), { error: noCredits })]];
    expect((await asked(script)).models).toEqual(["first", "second", "third"]);
  });

  it("leaves the last one's error, unchanged, where all fail", async () => {
    const last = failed(503);
    expect((await asked([failed(500), failed(500), last])).error).toBe(last);
  });

  it("is asked first again in the next call", async () => {
    const { rig, models } = await asked([failed(500)]);
    await rig.read();
    expect([...models, rig.asked[2]?.model]).toEqual(["first", "second", "first"]);
  });

  it("is not replaced if another would refuse too, or a filter excludes the error", async () => {
    expect((await asked([failed(400)])).models).toEqual(["first"]);
    expect((await asked([failed(500)], { fallbackOn: [418] })).models).toEqual(["first"]);
    expect((await asked([failed(418)], { fallbackOn: [418] })).models).toEqual(["first", "second"]);
  });

  it("modelFallback asks no other model after an unknown error, unless fallbackOn takes it", async () => {
    const unknown = new Error("model 'x' not found");
    expect(await asked([unknown])).toMatchObject({ error: unknown, models: ["first"] });
    expect((await asked([unknown], { fallbackOn: () => true })).models).toEqual(["first", "second"]);
  });

  it("is not followed after an abort or a termination, even if a filter takes every error", async () => {
    const stop = new MiddlewareTermination("stop");
    expect(await asked([stop], { fallbackOn: () => true })).toMatchObject({ error: stop, models: ["first"] });
    const controller = new AbortController();
    const rig = new Rig([modelFallback({ models: ["second"], fallbackOn: () => true })], [], {
      signal: controller.signal,
    });
    rig.script.push(failed(500));
    controller.abort();
    await rig.read();
    expect(rig.asked.length).toBeLessThan(2);
  });

  it("is only told of in monitor mode", async () => {
    const { models, rig } = await asked([failed(500)], { mode: "monitor" });
    expect(models).toEqual(["first"]);
    expect(rig.told).toEqual([expect.objectContaining({ decision: "fallback", enforced: false })]);
  });
});

describe("a stream that breaks off", () => {
  it("falls back as long as nothing of it was shown: the reader has one answer", async () => {
    const { pieces, models } = await asked([[failed(500)], [part("Hello, "), part("Ada.")]]);
    expect(pieces).toEqual(["Hello, ", "Ada."]);
    expect(models).toEqual(["first", "second"]);
  });

  it("passes its error on where something was shown", async () => {
    const error = failed(500);
    expect(await asked([[part("Hel"), error]])).toMatchObject({ pieces: ["Hel"], error, models: ["first"] });
  });
});

it("falls back to another client, where the adapter asks it", async () => {
  const client = { name: "claude", provider: "anthropic" };
  const rig = new Rig([modelFallback({ models: [client] })], [failed(500)]);
  expect(await rig.read()).toMatchObject({ error: { code: "ERR_CLIENT_NOT_SERVED" } });
  const served = new Rig([modelFallback({ models: [client] })], [failed(500)]);
  served.run.takesClients = true;
  await served.read();
  expect(served.asked[1]?.client).toBe(client);
  expect(served.told[0]).toMatchObject({ details: { to: "claude" } });
});

it("asks each model as often as the retry inside of it does", async () => {
  const plugins = [modelFallback({ models: ["second"] }), retryModel({ maxAttempts: 2, initialDelay: 0 })];
  const rig = new Rig(plugins, [failed(500), failed(500), failed(500)]);
  expect((await rig.read()).pieces).toEqual(["said"]);
  expect(rig.asked.map(({ model }) => model)).toEqual(["first", "first", "second", "second"]);
});

it("goes on at once where a circuit is open", async () => {
  const retry = retryModel({ maxAttempts: 2, initialDelay: 0 });
  const rig = new Rig([modelFallback({ models: ["second"] }), retry, circuitBreaker({ failures: 1 })], [failed(500)]);
  await rig.read();
  await rig.read();
  expect(rig.asked.map(({ model }) => model)).toEqual(["first", "second", "second"]);
});

it("an invalid option is rejected on creation", () => {
  expect(() => modelFallback({} as never)).toThrow(/non-empty list/);
  expect(() => modelFallback({ models: [] })).toThrow(/non-empty list/);
  expect(() => modelFallback({ models: [""] })).toThrow(/a string, or a model client/);
});
