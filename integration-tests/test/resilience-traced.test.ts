import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { SpanStatusCode } from "@opentelemetry/api";
import { createAgent, defineTool, type Model } from "@suite/agent";
import type { Plugin } from "@suite/core";
import { hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import { tracing } from "@suite/tracing";
import { call, type Said, scripted } from "../../packages/agent/test/support.js";
import { startSdk, stopSdk } from "../../packages/plugins/tracing/test/support.js";
import { resultOf } from "./sketches/watched.js";

let exporter: ReturnType<typeof startSdk>;
beforeEach(() => {
  exporter = startSdk();
});
afterEach(stopSdk);

const down = (status = 503): Error => Object.assign(new Error("down"), { status });
const named = (name: string, ...said: readonly Said[]): Model => ({ ...scripted(...said), name });
/** The spans of model calls, oldest first: their names, and whether they failed. */
const chats = () =>
  exporter
    .getFinishedSpans()
    .filter(({ name }) => name.startsWith("chat "))
    .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
    .map(({ name, status }) => `${name}${status.code === SpanStatusCode.ERROR ? " failed" : ""}`);

async function ask(
  model: Model,
  plugins: readonly Plugin[],
  stream: boolean,
  tools: Parameters<typeof defineTool>[0][] = [],
) {
  const agent = createAgent({ name: "a", model, plugins, tools: tools.map((tool) => defineTool(tool as never)) });
  const done = await resultOf(agent, "go", stream ? "stream" : "run");
  return done.status === "completed" ? done.text : done.status;
}

describe.each([false, true])("spans, streamed: %p", (stream) => {
  it.each(["outside", "inside"])(
    "of a fallback are named for the model that each attempt asked, tracing %s",
    async (place) => {
      const fallback = modelFallback({ models: [named("second", down()), named("third", "hello")] });
      const plugins = place === "outside" ? [tracing(), fallback] : [fallback, tracing()];
      expect(await ask(named("first", down()), plugins, stream)).toBe("hello");
      const spans = chats();
      // The call's own span is of the model that answered; those of attempts that failed hang below it.
      expect([...spans].sort()).toEqual(["chat first failed", "chat second failed", "chat third"]);
      expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).size).toBe(1);
    },
  );

  it("of a retry show each failed attempt, also where tracing is outside", async () => {
    const plugins = [tracing(), retryModel({ initialDelay: 0 })];
    expect(await ask(named("m", down(), down(), "hello"), plugins, stream)).toBe("hello");
    expect([...chats()].sort()).toEqual(["chat m", "chat m failed", "chat m failed"]);
    const decided = exporter.getFinishedSpans().flatMap(({ events }) => events.map(({ attributes }) => attributes));
    expect(JSON.stringify(decided)).toContain("retry");
  });

  it.each(["outside", "inside"])("of a hedge are two, tracing %s, and a tool runs once", async (place) => {
    let ran = 0;
    const tool = { name: "look", execute: () => ++ran } as never;
    let asked = 0;
    const quick = named("m", [call("1", "look")], "done");
    const slow = async (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const model: Model = {
      ...quick,
      generate: async (request, options) => (asked++ === 0 ? slow(options.signal) : quick.generate(request, options)),
      async *stream(request, options) {
        if (asked++ === 0) await slow(options.signal);
        yield* quick.stream(request, options);
      },
    };
    const plugins = place === "outside" ? [tracing(), hedge({ delay: 20 })] : [hedge({ delay: 20 }), tracing()];
    expect(await ask(model, plugins, stream, [tool])).toBe("done");
    expect(ran).toBe(1);
    expect(chats().length).toBeGreaterThanOrEqual(3); // on a slow machine the second round may be hedged as well
  });

  it("of what took too long have failed, and say so", async () => {
    const hangs = () => new Promise<never>(() => {});
    const model: Model = {
      ...named("m"),
      generate: hangs,
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: hangs }) }),
    };
    const asking = ask(model, [tracing(), timeout({ call: 20 })], stream);
    await expect(asking).rejects.toMatchObject({ code: "ERR_RESILIENCE_TIMEOUT" });
    expect(chats()).toEqual(["chat m failed"]);
  });
});
