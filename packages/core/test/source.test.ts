import { describe, expect, it } from "@jest/globals";
import type { Delta, Stage } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { call, codeOf, collect, layer, piece, request, sleep, staged } from "./support.js";

/** A source of this many chunks that counts its pulls, and how often it was closed. */
function counted(chunks: number) {
  const counts = { pulls: 0, closes: 0 };
  const stream: AsyncIterable<Delta, Suspended | void> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        counts.pulls++;
        if (counts.pulls > chunks) return { done: true, value: undefined };
        return { done: false, value: piece(`${counts.pulls}`) };
      },
      async return() {
        counts.closes++;
        return { done: true, value: undefined };
      },
    }),
  };
  const core: CallCore<"model"> = async (invocation) => invocation.respond({ stream });
  return { counts, core };
}

describe("a source", () => {
  it("is not pulled before somebody reads", async () => {
    const { counts, core } = counted(3);
    await call("model", [staged({ chunk: (delta, emit) => emit(delta) })], request, core);
    await sleep(1);
    expect(counts.pulls).toBe(0);
  });

  it("is pulled once for each chunk that the consumer asks for", async () => {
    const { counts, core } = counted(3);
    const { outcome } = await call("model", [], request, core);
    const iterator = outcome[Symbol.asyncIterator]();
    await iterator.next();
    await sleep(1);
    expect(counts.pulls).toBe(1);
    await iterator.next();
    await sleep(1);
    expect(counts.pulls).toBe(2);
  });

  it("is not pulled while chunks of a stage are pending", async () => {
    const { counts, core } = counted(3);
    const doubles = staged({
      chunk(delta, emit) {
        emit(delta);
        emit(delta);
      },
    });
    const { outcome } = await call("model", [doubles], request, core);
    const iterator = outcome[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    await sleep(1);
    expect(counts.pulls).toBe(1);
  });

  it("is not pulled while a stage is at work", async () => {
    const { counts, core } = counted(3);
    const works = staged({
      async chunk() {
        await sleep(10);
      },
    });
    const { outcome } = await call("model", [works], request, core);
    const reading = collect(outcome);
    await sleep(5);
    expect(counts.pulls).toBe(1);
    await reading;
    expect(counts.pulls).toBe(4);
  });

  it("is pulled once by ready(), and not again for the chunk that this kept", async () => {
    const { counts, core } = counted(3);
    const { outcome } = await call("model", [], request, core);
    await outcome.ready();
    expect(counts.pulls).toBe(1);
    await outcome[Symbol.asyncIterator]().next();
    expect(counts.pulls).toBe(1);
  });

  it("that ended by itself is not closed again", async () => {
    const { counts, core } = counted(2);
    const { outcome, run } = await call("model", [], request, core);
    await outcome.final();
    await run.end();
    expect(counts).toEqual({ pulls: 3, closes: 0 });
  });

  it("is closed once when it is left, and when nobody read it at all", async () => {
    const left = counted(2);
    const first = await call("model", [], request, left.core);
    for await (const _ of first.outcome) break;
    await first.run.end();
    const unread = counted(2);
    await (await call("model", [], request, unread.core)).run.end();
    expect([left.counts.closes, unread.counts]).toEqual([1, { pulls: 0, closes: 1 }]);
  });

  it("continues for its other readers if its answer was replaced", async () => {
    const { counts, core } = counted(2);
    let beside: Promise<boolean | undefined> = Promise.resolve(undefined);
    const records = layer(async (invocation, callNext) => {
      await callNext();
      const { result } = invocation;
      if (result === undefined) return;
      const iterator = result[Symbol.asyncIterator]();
      beside = iterator.next().then(async () => {
        await sleep(5);
        return (await iterator.next()).done;
      });
      invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
    });
    const { outcome } = await call("model", [records], request, core);
    await outcome.final();
    expect([await beside, counts]).toEqual([false, { pulls: 2, closes: 0 }]);
  });
});

describe("a flush that fails", () => {
  it("is the end of the answer: no further stage is asked to flush", async () => {
    const error = new Error("theirs");
    const asked: string[] = [];
    const outer = staged({ flush: () => void asked.push("outer") });
    const fails = staged({
      flush() {
        asked.push("inner");
        throw error;
      },
    });
    const { outcome } = await call("model", [outer, fails], request, counted(1).core);
    expect(await codeOf(outcome.final())).toBe(error);
    expect(asked).toEqual(["inner"]);
  });
});

describe("a stage", () => {
  it("may be an object with state: all its members keep their this", async () => {
    class Counting implements Stage<Delta, never> {
      readonly log: string[] = [];
      chunk(delta: Delta, emit: (delta: Delta) => void): void {
        this.log.push("chunk");
        emit(delta);
      }
      flush(): void {
        this.log.push("flush");
      }
      settle(): void {
        this.log.push("settle");
      }
      around<T>(pull: () => Promise<T>): Promise<T> {
        this.log.push("around");
        return pull();
      }
    }
    const stage = new Counting();
    await (await call("model", [staged(stage)], request, counted(1).core)).outcome.final();
    expect(stage.log).toEqual(["around", "chunk", "around", "flush", "settle"]);
  });
});
