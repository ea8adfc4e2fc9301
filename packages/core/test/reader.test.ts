import { describe, expect, it } from "@jest/globals";
import type { Delta, Outcome, Reply, Stage } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { type OutcomeStep, readerOf, wholeOf } from "@suite/core/framework";
import { call, codeOf, piece, read, request, staged, streams } from "./support.js";

/** A source whose chunks are there at once, each without a promise. */
const ready =
  (...words: string[]): CallCore<"model"> =>
  async (invocation) => {
    const steps = words.map((word) => piece(word))[Symbol.iterator]();
    invocation.respond({ stream: { [Symbol.asyncIterator]: () => steps as unknown as AsyncIterator<Delta, void> } });
  };

const outcomeOf = async (core: CallCore<"model">, ...stages: Stage<Delta, never>[]) =>
  (
    await call(
      "model",
      stages.map((stage, index) => staged(stage, `${index}`)),
      request,
      core,
    )
  ).outcome;

/** Reads an answer to its end: what it said, and how much of it was there without waiting. */
const through = (outcome: Outcome<Delta, Reply>): Promise<{ said: string; atOnce: string }> =>
  new Promise((resolve, reject) => {
    const seen = { said: "", atOnce: "" };
    const take = (waited?: OutcomeStep<Delta>): void => {
      for (let step = waited ?? next(); step !== undefined; step = next()) {
        if (step.done === true) {
          resolve(seen);
          return;
        }
        const word = step.value.type === "part" ? read([step.value.part]) : "";
        seen.said += word;
        if (step !== waited) seen.atOnce += word;
      }
    };
    const next = readerOf(outcome, take, reject);
    take();
  });

describe("a reader without promises", () => {
  it("is given what is there at once, through stages that hold back", async () => {
    let held = "";
    const last: Stage<Delta, never> = {
      chunk(delta, emit) {
        if (held !== "") emit(piece(held));
        held = delta.type === "part" ? read([delta.part]) : "";
      },
      flush: (emit) => emit(piece(held)),
    };
    const { said, atOnce } = await through(await outcomeOf(ready("a", "b", "c"), last));
    expect([said, atOnce]).toEqual(["abc", "abc"]);
  });

  it("is told what it has to wait for, in order", async () => {
    const slow: Stage<Delta, never> = {
      async chunk(delta, emit) {
        await Promise.resolve();
        emit(delta);
      },
    };
    expect((await through(await outcomeOf(ready("a", "b"), slow))).said).toBe("ab");
    expect((await through(await outcomeOf(streams("a", "b")))).said).toBe("ab");
  });

  it("is told of the end when stages are no longer at work, whatever they gave out meanwhile", async () => {
    const order: string[] = [];
    const early: Stage<Delta, never> = { flush: (emit) => emit(piece("b")), settle: () => void order.push("settled") };
    const late: Stage<Delta, never> = {
      async flush() {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        order.push("flushed");
      },
    };
    expect((await through(await outcomeOf(ready("a"), late, early))).said).toBe("ab");
    expect(order).toEqual(["flushed", "settled"]);
  });

  it("settles the answer as one that was read, with its value", async () => {
    const outcome = await outcomeOf(ready("a", "b"));
    await through(outcome);
    expect(await outcome.settled).toMatchObject({
      status: "completed",
      final: { message: { parts: [{ content: "ab" }] } },
    });
  });

  it("receives the error of a stage after the preceding chunks", async () => {
    const broken: Stage<Delta, never> = {
      chunk(delta, emit) {
        if (delta.type === "part" && read([delta.part]) === "b") throw new Error("no b");
        emit(delta);
      },
    };
    const words: string[] = [];
    const outcome = await outcomeOf(ready("a", "b", "c"), broken);
    const failure = await new Promise((resolve) => {
      const next = readerOf(outcome, () => words.push("late"), resolve);
      for (let step = next(); step !== undefined; step = next()) {
        if (step.done !== true && step.value.type === "part") words.push(read([step.value.part]));
      }
    });
    expect(failure).toEqual(new Error("no b"));
    expect(words).toEqual(["a"]);
  });

  it("is let go by an abort while it waits", async () => {
    const abort = new AbortController();
    const never: CallCore<"model"> = async (invocation) => {
      invocation.respond({ stream: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) } });
    };
    const { outcome } = await call("model", [], request, never, { signal: abort.signal });
    const failure = new Promise((resolve) => readerOf(outcome, resolve, resolve)());
    abort.abort(new Error("enough"));
    expect(await failure).toEqual(new Error("enough"));
  });

  it("is the one reader of its answer", async () => {
    const outcome = await outcomeOf(ready("a"));
    await through(outcome);
    expect(await codeOf(through(outcome))).toBe("ERR_ALREADY_CONSUMED");
  });
});

describe("an answer that is whole", () => {
  const reply: Reply = { message: { role: "assistant", parts: [{ type: "text", content: "Yes." }] } };
  const whole: CallCore<"model"> = async (invocation) => invocation.respond({ value: reply });

  it("is known before it is read, and stays the same object", async () => {
    const told: unknown[] = [];
    const settle: Stage<Delta, Reply>["settle"] = (end) => void told.push(end.status === "completed" && end.final);
    const outcome = await outcomeOf(whole, { settle });
    expect(wholeOf(outcome)).toBe(reply);
    expect(await outcome.final()).toBe(reply);
    expect(told).toEqual([reply]);
    expect(() => outcome[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: "ERR_ALREADY_CONSUMED" }));
  });

  it.each<[string, CallCore<"model">, Stage<Delta, never>]>([
    ["it streams", ready("a"), {}],
    ["a stage looks at its pieces", whole, { chunk: (delta, emit) => emit(delta) }],
    ["a stage adds to it", whole, { flush: (emit) => emit(piece("!")) }],
    ["a stage is round each pull", whole, { around: (pull) => pull() }],
  ])("is not known where %s", async (_, core, stage) => {
    expect(wholeOf(await outcomeOf(core, stage))).toBeUndefined();
  });
});
