import { describe, expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { call, codeOf, collect, layer, piece, read, request, said, settles, staged, streams } from "./support.js";

describe("an answer that a layer has read", () => {
  const reader = layer(async (invocation, callNext) => {
    await callNext();
    await invocation.result?.final();
  });

  it("is given out again: outer layers pipe, and the consumer reads", async () => {
    const upper = staged({
      chunk: (delta, emit) => emit(delta.type === "part" ? piece(read([delta.part]).toUpperCase()) : delta),
    });
    const { outcome } = await call("model", [upper, reader], request, streams("a", "b"));
    expect(await collect(outcome)).toBe("AB");
    expect((await outcome.final()).usage).toEqual({ inputTokens: 1, outputTokens: 2 });
  });

  it("is the same where the layer iterated it to its end", async () => {
    const iterate = layer(async (invocation, callNext) => {
      await callNext();
      if (invocation.result !== undefined) await collect(invocation.result);
    });
    expect(await said("model", [iterate], request, streams("a", "b"))).toBe("ab");
  });

  it("settles each stage once: those further in when it was read, those further out when the consumer has", async () => {
    const log: string[] = [];
    const note = (name: string): Plugin => staged({ settle: (s) => void log.push(`${name} ${s.status}`) });
    const { outcome } = await call("model", [note("outer"), reader, note("inner")], request, streams("a"));
    expect(log).toEqual(["inner completed"]);
    await outcome.final();
    expect(log).toEqual(["inner completed", "outer completed"]);
  });

  it("stays suspended when it was", async () => {
    const log: string[] = [];
    const patient = layer(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.final().catch(() => {});
    });
    const { outcome } = await call("model", [settles(log), patient], request, async (c) =>
      c.respond({ suspended: [] }),
    );
    expect(await outcome[Symbol.asyncIterator]().next()).toEqual({ done: true, value: { suspended: [] } });
    expect(log).toEqual(["suspended"]);
  });

  it("refuses a stage while it is being read", async () => {
    const greedy = layer(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.[Symbol.asyncIterator]().next();
      invocation.pipe({});
    });
    expect(await codeOf(call("model", [greedy], request, streams("a", "b")))).toBe("ERR_PIPE_AFTER_READ");
  });

  it("whose failure the layer kept to itself still tells the consumer the source's error", async () => {
    const error = new RangeError("429");
    const quiet = layer(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.ready().catch(() => {});
    });
    const broken: CallCore<"model"> = async (invocation) =>
      invocation.respond({
        // biome-ignore lint/correctness/useYield: it breaks before its first chunk
        stream: (async function* () {
          throw error;
        })(),
      });
    const { outcome } = await call("model", [quiet], request, broken);
    expect(await codeOf(collect(outcome))).toBe(error);
    const log: string[] = [];
    expect(await codeOf(said("model", [settles(log), quiet], request, broken))).toBe(error);
    expect(log).toEqual(["failed"]);
  });

  it("and that failed tells so once, as a generator would, and is over then", async () => {
    const error = new RangeError("429");
    const { outcome } = await call("model", [], request, async (invocation) =>
      invocation.respond({
        stream: (async function* () {
          yield piece("a");
          throw error;
        })(),
      }),
    );
    const iterator = outcome[Symbol.asyncIterator]();
    await iterator.next();
    expect(await codeOf(iterator.next())).toBe(error);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(() => outcome[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: "ERR_ALREADY_CONSUMED" }));
  });

  it("and that its consumer left is over for it, without an error", async () => {
    const { outcome } = await call("model", [], request, streams("a", "b"));
    const iterator = outcome[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await codeOf(outcome.final())).toBe("ERR_CANCELLED");
  });

  it("tells a stage's flush whether it was suspended", async () => {
    const seen: boolean[] = [];
    const told = staged({ flush: (_emit, suspended) => void seen.push(suspended) });
    await collect((await call("model", [told], request, streams("a"))).outcome);
    await collect((await call("model", [told], request, async (c) => c.respond({ suspended: [] }))).outcome);
    expect(seen).toEqual([false, true]);
  });
});
