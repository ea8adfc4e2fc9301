import { describe, expect, it } from "@jest/globals";
import type { Delta, Plugin } from "@suite/core";
import { answers, call, codeOf, piece, read, request, settles, staged, streams, text, words } from "./support.js";

const collect = async (source: AsyncIterable<Delta>): Promise<string> => {
  let all = "";
  for await (const delta of source) if (delta.type === "part") all += read([delta.part]);
  return all;
};
const upper = staged({
  chunk(delta: Delta, emit) {
    emit(
      delta.type === "part" && delta.part.type === "text" ? piece(delta.part.content.toUpperCase(), delta.at) : delta,
    );
  },
});

describe("an answer", () => {
  it("streams through stages, inner first", async () => {
    const tag = (name: string): Plugin =>
      staged({ chunk: (d: Delta, emit) => emit(d.type === "part" ? piece(`${read([d.part])}${name}`, d.at) : d) });
    const { outcome } = await call("model", [tag("1"), tag("2")], request, streams("a", "b"));
    expect(await collect(outcome)).toBe("a21b21");
  });

  it("gives the value that was let through, usage included", async () => {
    const { outcome } = await call("model", [upper], request, streams("a", "b"));
    expect(await outcome.final()).toEqual({
      message: { role: "assistant", parts: [text("AB")] },
      usage: { inputTokens: 1, outputTokens: 2 },
    });
  });

  it("is the same through the same stages when it did not stream", async () => {
    const { outcome } = await call("model", [upper], request, answers("ab"));
    expect(read((await outcome.final()).message.parts)).toBe("AB");
  });

  it("is given back itself when nothing changed it", async () => {
    const value = { message: { role: "assistant", parts: [text("a")], native: {} } } as const;
    const { outcome } = await call("model", [staged({ chunk: (d: Delta, emit) => emit(d) })], request, async (c) =>
      c.respond({ value }),
    );
    expect(await outcome.final()).toBe(value);
  });

  it("tells each stage's settle what that stage let through", async () => {
    const seen: string[] = [];
    const watch = (name: string): Plugin =>
      staged({
        settle: (s) => {
          if (s.status === "completed") seen.push(name + read((s.final as { message: { parts: [] } }).message.parts));
        },
      });
    const { outcome } = await call("model", [watch("outer "), upper, watch("inner ")], request, streams("a", "b"));
    await outcome.final();
    expect(seen).toEqual(["inner ab", "outer AB"]);
  });

  it("tells a stage once how it ended, also one that aborts the run by that", async () => {
    const aborts = new AbortController();
    const told: string[] = [];
    const stage = staged({
      settle: ({ status }) => {
        told.push(status);
        aborts.abort(new Error("enough"));
      },
    });
    const { outcome } = await call("model", [stage], request, answers("a"), { signal: aborts.signal });
    await outcome.final();
    expect(told).toEqual(["completed"]);
  });

  it("waits for a stage that gives a promise, in order", async () => {
    const slow = staged({
      async chunk(delta: Delta, emit) {
        await new Promise((resolve) => setTimeout(resolve, delta.type === "part" ? 5 : 0));
        emit(delta);
      },
    });
    const double = staged({
      chunk(delta: Delta, emit) {
        emit(delta);
        emit(delta);
      },
    });
    const { outcome } = await call("model", [slow, double], request, streams("a", "b"));
    expect(await collect(outcome)).toBe("aabb");
  });

  it("releases what was held back when the source ends", async () => {
    let held = "";
    const hold = staged({
      chunk: (d: Delta, emit) => {
        if (d.type === "part") held += read([d.part]);
        else emit(d);
      },
      flush: (emit) => emit(piece(held)),
    });
    const { outcome } = await call("model", [upper, hold], request, streams("a", "b"));
    expect(await collect(outcome)).toBe("AB");
  });

  it("refuses an emit after the stage returned", async () => {
    let late: (() => void) | undefined;
    const { outcome } = await call(
      "model",
      [
        staged({
          chunk(d: Delta, emit) {
            late = () => emit(d);
          },
        }),
      ],
      request,
      streams("a"),
    );
    await outcome.final();
    expect(late).toThrow(expect.objectContaining({ code: "ERR_EMIT_AFTER_RETURN" }));
  });

  it("ends, and closes its source, with the error of a stage, which no other stage can catch", async () => {
    let closed = false;
    const caught: unknown[] = [];
    const nosy = staged({
      chunk: (d: Delta, emit) => {
        try {
          emit(d);
        } catch (error) {
          caught.push(error);
        }
      },
    });
    const broken = staged({
      chunk: (d: Delta, emit) => {
        if (d.type === "part" && read([d.part]) === "b") throw new RangeError("stage");
        emit(d);
      },
    });
    const { outcome } = await call("model", [broken, nosy], request, async (c) => {
      c.respond({
        stream: (async function* () {
          try {
            yield* words("a", "b", "c");
          } finally {
            closed = true;
          }
        })(),
      });
    });
    let got = "";
    await expect(
      (async () => {
        for await (const d of outcome) if (d.type === "part") got += read([d.part]);
      })(),
    ).rejects.toThrow("stage");
    expect([got, closed, caught]).toEqual(["a", true, []]);
    expect((await outcome.settled).status).toBe("failed");
  });

  it("has one consumer", async () => {
    const { outcome } = await call("model", [], request, streams("a"));
    const first = collect(outcome);
    expect(() => outcome[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: "ERR_ALREADY_CONSUMED" }));
    expect(await first).toBe("a");
    expect(read((await outcome.final()).message.parts)).toBe("a");
  });

  it("answers pulls that do not wait for each other, in order", async () => {
    const { outcome } = await call("model", [], request, streams("a", "b", "c"));
    const iterator = outcome[Symbol.asyncIterator]();
    const steps = await Promise.all([1, 2, 3, 4, 5, 6].map(() => iterator.next()));
    expect(steps.map((s) => (s.done ? "end" : s.value.type))).toEqual(["part", "part", "part", "finish", "end", "end"]);
  });

  it("wraps each pull, the outer layer's wrap outside", async () => {
    const log: string[] = [];
    const around = (name: string): Plugin =>
      staged({
        around: async (pull) => {
          log.push(`>${name}`);
          const step = await pull();
          log.push(`<${name}`);
          return step;
        },
      });
    const { outcome } = await call("model", [around("1"), around("2")], request, async (c) =>
      c.respond({
        stream: (async function* () {
          log.push("source");
          yield piece("a");
        })(),
      }),
    );
    await outcome[Symbol.asyncIterator]().next();
    expect(log).toEqual([">1", ">2", "source", "<2", "<1"]);
  });
});

describe("the end of an answer", () => {
  it("is cancelled when its consumer stops, after the source has closed", async () => {
    const log: string[] = [];
    const { outcome } = await call("model", [settles(log)], request, async (c) =>
      c.respond({
        stream: (async function* () {
          try {
            yield* words("a", "b");
          } finally {
            await new Promise((resolve) => setTimeout(resolve, 5));
            log.push("closed");
          }
        })(),
      }),
    );
    for await (const _ of outcome) break;
    expect(log).toEqual(["closed", "cancelled"]);
  });

  it("does not wait for ever for a source that hangs", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const { outcome, run } = await call(
      "model",
      [settles(log)],
      request,
      async (c) =>
        c.respond({
          stream: (async function* () {
            yield piece("a");
            await new Promise(() => {});
          })(),
        }),
      { signal: abort.signal },
    );
    const final = outcome.final();
    setTimeout(() => abort.abort(new Error("user")), 5);
    await expect(final).rejects.toThrow("user");
    await run.end();
    expect(log).toEqual(["cancelled"]);
  });

  it("is cancelled when nobody reads it, at the latest when the run ends", async () => {
    const log: string[] = [];
    let closed = false;
    const { run } = await call("model", [settles(log)], request, async (c) =>
      c.respond({
        stream: {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: true, value: undefined }),
            return: async () => {
              closed = true;
              return { done: true, value: undefined };
            },
          }),
        },
      }),
    );
    await run.end();
    expect([log, closed]).toEqual([["cancelled"], true]);
  });

  it("is cancelled when another answer takes its place, unless that one reads it", async () => {
    const log: string[] = [];
    const replace = (reads: boolean): Plugin => ({
      name: "replace",
      async model(c, next) {
        await next();
        const old = c.result;
        c.respond({ stream: reads && old !== undefined ? old : words("b") });
      },
    });
    await (await call("model", [replace(false), settles(log)], request, answers("a"))).outcome.final();
    await (await call("model", [replace(true), settles(log)], request, answers("a"))).outcome.final();
    expect(log).toEqual(["cancelled", "completed"]);
  });

  it("is cancelled when an outer layer throws, and the error passes unchanged", async () => {
    const log: string[] = [];
    const error = new Error("tts");
    const outer: Plugin = {
      name: "outer",
      async model(_c, next) {
        await next();
        throw error;
      },
    };
    expect(await codeOf(call("model", [outer, settles(log)], request, answers("a")))).toBe(error);
    expect(log).toEqual(["cancelled"]);
  });

  it("reports a settle that throws, and lets no other miss its own", async () => {
    const log: string[] = [];
    const faults: unknown[] = [];
    const observer: Plugin = { name: "observer", observe: (n) => void (n.type === "fault" && faults.push(n.where)) };
    const bad = staged({
      settle: () => {
        throw new Error("x");
      },
    });
    const { outcome } = await call("model", [observer, settles(log), bad], request, answers("a"));
    await outcome.final();
    expect([log, faults]).toEqual([["completed"], ["settle"]]);
  });

  it("is neither success nor error when it suspends, and the error of final() names the pending calls", async () => {
    const pending = [{ reason: "external", part: { type: "tool_call", id: "1", name: "t", arguments: {} } }] as const;
    const log: string[] = [];
    const { outcome } = await call("model", [settles(log)], request, async (c) =>
      c.respond({
        stream: (async function* () {
          yield piece("a");
          return { suspended: pending };
        })(),
      }),
    );
    expect(await codeOf(outcome.final())).toBe("ERR_SUSPENDED");
    expect(await outcome.settled).toEqual({ status: "suspended", pending });
    expect(log).toEqual(["suspended"]);
  });
});
