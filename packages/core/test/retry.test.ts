import { describe, expect, it } from "@jest/globals";
import type { Delta, Plugin } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import {
  answers,
  call,
  codeOf,
  collect,
  layer,
  piece,
  read,
  request,
  said,
  settles,
  sleep,
  staged,
  streams,
  words,
} from "./support.js";

describe("a retry", () => {
  const retry = (times: number): Plugin =>
    layer(async (invocation, callNext) => {
      for (let left = times; ; left--) {
        try {
          await callNext();
          return await invocation.result?.ready();
        } catch (error) {
          if (left === 0) throw error;
        }
      }
    }, "retry");
  /** Streams that break before their first chunk, this often, and then one that does not. */
  const flaky = (breaks: number): CallCore<"model"> => {
    let left = breaks;
    return async (invocation) => {
      const breaking = left-- > 0;
      invocation.respond({
        stream: (async function* () {
          if (breaking) throw new Error("429");
          yield* words("o", "k");
        })(),
      });
    };
  };

  it("happens before the first chunk, and settles each attempt once", async () => {
    const inner: string[] = [];
    const outer: string[] = [];
    const answer = await said("model", [settles(outer), retry(2), settles(inner)], request, flaky(2));
    expect([answer, inner, outer]).toEqual(["ok", ["failed", "failed", "completed"], ["completed"]]);
  });

  it("happens before anything was shown: events, and empty pieces by which a part begins, show nothing", async () => {
    let left = 2;
    const beginning: CallCore<"model"> = async (invocation) => {
      const breaks = left-- > 0;
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          yield { type: "event", name: "start", value: breaks };
          yield piece("");
          if (breaks) throw new Error("overloaded");
          yield piece("ok");
        })(),
      });
    };
    const { outcome } = await call("model", [retry(2)], request, beginning);
    const seen: Delta[] = [];
    for await (const delta of outcome) seen.push(delta);
    expect(seen).toEqual([{ type: "event", name: "start", value: false }, piece(""), piece("ok")]);
  });

  it("pulls no more than a few events ahead", async () => {
    let pulled = 0;
    const { outcome } = await call("model", [retry(0)], request, async (invocation) => {
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          for (; pulled < 1000; pulled++) yield { type: "event", name: "audio", value: pulled };
        })(),
      });
    });
    expect(pulled).toBeLessThan(20);
    let seen = 0;
    for await (const _ of outcome) seen++;
    expect(seen).toBe(1000);
  });

  it("that gives up lets the last error through, as it is", async () => {
    const log: string[] = [];
    await expect(call("model", [retry(1), settles(log)], request, flaky(5))).rejects.toThrow("429");
    expect(log).toEqual(["failed", "failed"]);
  });

  it("of a core that threw starts anew", async () => {
    let left = 1;
    const answer = await said("model", [retry(1)], request, async (invocation) => {
      if (left-- > 0) throw new Error("socket");
      await answers("ok")(invocation);
    });
    expect(answer).toBe("ok");
  });

  it("cancels an answer that was good, and closes its source first", async () => {
    const log: string[] = [];
    const twice = layer(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.ready();
      await callNext();
    });
    await said("model", [twice, settles(log)], request, async (invocation) => {
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          try {
            log.push("opened");
            yield piece("x");
          } finally {
            log.push("closed");
          }
        })(),
      });
    });
    expect(log).toEqual(["opened", "closed", "cancelled", "opened", "closed", "completed"]);
  });

  it("leaves chunks that no stage has seen to ready(): the pulled chunk passes through all stages", async () => {
    const upper = staged({
      chunk: (delta, emit) => emit(delta.type === "part" ? piece(read([delta.part]).toUpperCase()) : delta),
    });
    expect(await said("model", [upper, retry(1)], request, streams("a", "b"))).toBe("AB");
  });

  it("finds ready() done at once where the answer is a plain value, or was waited for before", async () => {
    const { outcome } = await call("model", [retry(0), retry(0)], request, streams("a", "b"));
    await outcome.ready();
    expect(await collect(outcome)).toBe("ab");
    const plain = (await call("model", [retry(0)], request, answers("a"))).outcome;
    await plain.ready();
    expect(await collect(plain)).toBe("a");
  });

  it("loses no chunk when two wait for the first one at once", async () => {
    const { outcome } = await call("model", [], request, streams("a", "b"));
    await Promise.all([outcome.ready(), outcome.ready()]);
    expect(await collect(outcome)).toBe("ab");
  });

  it("that waited for the first chunk no longer than a time limit leaves the answer readable", async () => {
    const impatient = layer(async (invocation, callNext) => {
      await callNext();
      await Promise.race([invocation.result?.ready(), sleep(1)]);
    });
    const answer = said("model", [impatient], request, async (invocation) =>
      invocation.respond({
        stream: (async function* () {
          await sleep(10);
          yield* words("a", "b");
        })(),
      }),
    );
    expect(await Promise.race([answer, sleep(500)])).toBe("ab");
  });

  it("is told by ready() that the answer was cancelled meanwhile, and its source is not pulled", async () => {
    const abort = new AbortController();
    const left = new Error("the user left");
    let pulls = 0;
    const told: unknown[] = [];
    const waits = layer(async (invocation, callNext) => {
      await callNext();
      told.push(await codeOf(invocation.result?.ready() ?? Promise.resolve()));
    });
    const deaf: CallCore<"model"> = async (invocation) => {
      abort.abort(left);
      invocation.respond({
        stream: {
          [Symbol.asyncIterator]: () => ({
            async next() {
              pulls++;
              return { done: true, value: undefined };
            },
          }),
        },
      });
    };
    await call("model", [waits], request, deaf, { signal: abort.signal });
    expect([told, pulls]).toEqual([[left], 0]);
  });
});
