import { describe, expect, it } from "@jest/globals";
import type { Delta, Plugin } from "@suite/core";
import { call, codeOf, endsWithin, piece, request, settles, staged, streams, words } from "./support.js";

const hung = (): AsyncIterable<Delta, void> => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: () => new Promise(() => {}) }),
});

describe("what nobody waits for any longer is let go", () => {
  it("an abort keeps a layer that tries again from asking again", async () => {
    const abort = new AbortController();
    const reason = new Error("user");
    let asked = 0;
    const stubborn: Plugin = {
      name: "stubborn",
      async model(_c, next) {
        for (let attempt = 1; ; attempt++) {
          try {
            return await next();
          } catch (error) {
            if (attempt === 3) throw error;
          }
        }
      },
    };
    const calling = call(
      "model",
      [stubborn],
      request,
      async () => {
        asked++;
        abort.abort(reason);
        throw new Error("429");
      },
      { signal: abort.signal },
    );
    expect(await codeOf(calling)).toBe(reason);
    expect(asked).toBe(1);
  });

  it("sources that hang are left behind together, not one after another", async () => {
    const log: string[] = [];
    const { run, stack } = await call("model", [settles(log)], request, streams("a"));
    for (let i = 0; i < 6; i++) {
      await stack.call("model", run, request, async (c) => c.respond({ stream: hung() }));
    }
    expect(await endsWithin(1000, () => run.end())).toBe(true);
    expect(log).toHaveLength(7);
  });

  it("a reader who stops while a pull waits is told the end, and no error", async () => {
    const { outcome } = await call("model", [], request, async (c) => c.respond({ stream: hung() }));
    const iterator = outcome[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("a stream that a late layer answers with is closed", async () => {
    let closed = false;
    const source: AsyncIterable<Delta, void> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: piece("a") }),
        return: async () => {
          closed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    let late: unknown;
    const forgetful: Plugin = {
      name: "forgetful",
      async model(c) {
        c.respond({ stream: words("a") });
        setTimeout(() => {
          try {
            c.respond({ stream: source });
          } catch (error) {
            late = (error as { code?: unknown }).code;
          }
        });
      },
    };
    const { run } = await call("model", [forgetful], request, streams("b"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([late, closed]).toEqual(["ERR_CALL_NEXT_NOT_AWAITED", true]);
    await run.end();
  });

  it("an answer that is none is refused with a code", async () => {
    const broken: Plugin = {
      name: "broken",
      async model(c) {
        c.respond(undefined as never);
      },
    };
    expect(await codeOf(call("model", [broken], request, streams("a")))).toBe("ERR_NO_ANSWER");
  });

  it("a property of a foreign stream that never settles does not hold the run", async () => {
    const foreign = Object.assign(
      (async function* (): AsyncGenerator<Delta, void> {
        yield piece("a");
        throw new Error("cut");
      })(),
      { settled: new Promise(() => {}) },
    );
    const log: string[] = [];
    const { outcome } = await call("model", [settles(log), staged({})], request, async (c) =>
      c.respond({ stream: foreign }),
    );
    await expect(outcome.final()).rejects.toThrow("cut");
    expect(log).toEqual(["failed"]);
  });
});
