import { describe, expect, it } from "@jest/globals";
import { type Delta, type Invocation, message, type Outcome, type Plugin, type Reply } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
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

  it("whose failure the layer suppressed still passes the source's error to the consumer", async () => {
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

  describe("that was streamed", () => {
    const chunks: readonly Delta[] = [
      { type: "event", name: "state", value: 1 },
      piece("a", "text:7"),
      { type: "event", name: "state", value: 2 },
      piece("b", "text:7"),
      { type: "part_end", at: "text:7" },
      { type: "finish", usage: { inputTokens: 1, outputTokens: 2 } },
    ];
    const cut = new RangeError("cut off");
    type End = { readonly error: unknown } | Suspended | undefined;

    const streamed =
      (end?: End): CallCore<"model"> =>
      async (invocation) =>
        invocation.respond({
          stream: (async function* () {
            yield* chunks;
            if (end !== undefined && "error" in end) throw end.error;
            return end;
          })(),
        });

    const readers: Readonly<Record<string, (invocation: Invocation<"model">) => Promise<unknown>>> = {
      "ended()": (invocation) => invocation.ended(),
      "final()": async ({ result }) => result?.final().catch(() => {}),
      iteration: async ({ result }) => result && collect(result).catch(() => {}),
    };

    /** Collects all chunks of an answer, and its end. */
    async function all(outcome: Outcome<Delta, Reply>): Promise<{ seen: Delta[]; end: End }> {
      const seen: Delta[] = [];
      const iterator = outcome[Symbol.asyncIterator]();
      try {
        for (;;) {
          const step = await iterator.next();
          if (step.done === true) return { seen, end: step.value };
          seen.push(step.value);
        }
      } catch (error) {
        return { seen, end: { error } };
      }
    }

    describe.each(Object.keys(readers))("and read with %s", (name) => {
      const reading = layer(async (invocation, callNext) => {
        await callNext();
        await readers[name]?.(invocation);
      });

      it.each<[string, End, string]>([
        ["completed", undefined, "completed"],
        ["suspended", { suspended: [] }, "suspended"],
        ["failed", { error: cut }, "failed"],
      ])("passes the same chunks and the same end to the stages and the consumer if it %s", async (_, end, status) => {
        const passed: Delta[] = [];
        const log: string[] = [];
        const watching = staged({ chunk: (delta, emit) => emit(passed[passed.push(delta) - 1] as Delta) });
        const plugins = [settles(log), watching, reading, reading];
        const { outcome } = await call("model", plugins, request, streamed(end));
        const { seen, end: ended } = await all(outcome);
        expect(seen).toHaveLength(chunks.length);
        for (const [index, chunk] of chunks.entries()) expect(seen[index]).toBe(chunk);
        expect(passed).toEqual(chunks);
        expect(ended).toEqual(end);
        expect(log).toEqual([status]);
      });
    });

    it("passes the values that a tool yields", async () => {
      const waiting: Plugin = {
        name: "waiting",
        async tool(invocation, callNext) {
          await callNext();
          expect(await invocation.result?.final()).toBe(3);
        },
      };
      const asked = { id: "c", tool: { name: "count" }, input: {} };
      const { outcome } = await call("tool", [waiting], asked, async (invocation) =>
        invocation.respond({
          stream: (async function* () {
            yield* [1, 2, 3];
          })(),
        }),
      );
      const seen: unknown[] = [];
      for await (const value of outcome) seen.push(value);
      expect(seen).toEqual([1, 2, 3]);
    });

    it("can be replaced after it failed", async () => {
      const reserve = layer(async (invocation, callNext) => {
        await callNext();
        const end = await invocation.ended();
        if (end?.status === "failed") invocation.respond({ value: { message: message("assistant", "reserve") } });
      });
      expect(await said("model", [reserve], request, streamed({ error: cut }))).toBe("reserve");
    });
  });

  it("tells a stage's flush whether it was suspended", async () => {
    const seen: boolean[] = [];
    const told = staged({ flush: (_emit, suspended) => void seen.push(suspended) });
    await collect((await call("model", [told], request, streams("a"))).outcome);
    await collect((await call("model", [told], request, async (c) => c.respond({ suspended: [] }))).outcome);
    expect(seen).toEqual([false, true]);
  });
});
