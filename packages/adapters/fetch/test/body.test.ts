import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { type BodySource, bodyOf, type Sink } from "../src/exchange/body.js";
import { rejection } from "./support.js";

/** An answer to being asked: after so many microtasks a chunk, or the end, or both. */
interface Move {
  readonly later: number;
  readonly chunk: boolean;
  readonly end?: "close" | "error" | undefined;
}

/** A source that plays these moves, one at a time, and then closes. Keeps why it was let go. */
function played(moves: readonly Move[]): BodySource & { readonly left: unknown[] } {
  const left: unknown[] = [];
  const queue = [...moves];
  let byte = 0;
  let asked = false;
  let over = false;
  let working = false;
  const play = (sink: Sink, { chunk, end = chunk ? undefined : "close" }: Move): void => {
    asked = false;
    if (!over && chunk) sink.enqueue(Uint8Array.of(byte++));
    if (!over && end === "error") sink.error("broken");
    if (!over && end === "close") sink.close();
    over ||= end !== undefined;
    working = false;
    if (asked && !over) work(sink);
  };
  const work = (sink: Sink): void => {
    working = true;
    const move = queue.shift() ?? { later: 0, chunk: false };
    const wait = (left: number): void => {
      if (left === 0) play(sink, move);
      else void Promise.resolve().then(() => wait(left - 1));
    };
    wait(move.later);
  };
  return {
    left,
    pull(sink) {
      asked = true;
      if (!working && !over) work(sink);
    },
    async cancel(reason) {
      over = true;
      left.push(reason);
    },
  };
}

type Act = "next" | "next, awaited" | "return";

/** All that a user of the body sees: what each step gave, and how the body stands after all of them. */
async function seen(body: ReadableStream<Uint8Array>, source: { readonly left: unknown[] }, acts: readonly Act[]) {
  const response = new Response(body);
  const iterator: AsyncIterator<Uint8Array, unknown> = body[Symbol.asyncIterator]();
  const states: unknown[] = [body.locked];
  const told = (step: Promise<IteratorResult<Uint8Array, unknown>>) =>
    step.then(
      ({ done, value }) => [done, value instanceof Uint8Array ? [...value] : value],
      (error: unknown) => ["threw", error],
    );
  const steps: Promise<unknown>[] = [];
  for (const act of acts) {
    const step = told(act === "return" ? (iterator.return?.("enough") ?? iterator.next()) : iterator.next());
    steps.push(step);
    if (act !== "next, awaited") continue;
    await step;
    states.push(response.bodyUsed, body.locked);
  }
  const all = await Promise.all(steps);
  const rest = body.locked ? "locked" : await restOf(body).catch((error: unknown) => ["threw", error]);
  return { all, states, left: source.left, rest, used: response.bodyUsed };
}

async function restOf(body: ReadableStream<Uint8Array>): Promise<readonly number[]> {
  const reader = body.getReader();
  const read: number[] = [];
  for (let step = await reader.read(); !step.done; step = await reader.read()) read.push(...step.value);
  return read;
}

const plain = (source: BodySource): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    { pull: (controller) => source.pull(controller), cancel: (reason) => source.cancel(reason) },
    { highWaterMark: 0 },
  );

describe("a body that is iterated over", () => {
  it("equals the stream's own iterator, for each source and reader", async () => {
    const move = fc.record({
      later: fc.nat(3),
      chunk: fc.boolean(),
      end: fc.option(fc.constantFrom("close" as const, "error" as const), { nil: undefined, freq: 4 }),
    });
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constant<Act>("next, awaited") },
      { weight: 2, arbitrary: fc.constant<Act>("next") },
      { weight: 1, arbitrary: fc.constant<Act>("return") },
    );
    const ask = async (moves: readonly Move[], acts: readonly Act[], of: (source: BodySource) => ReadableStream) => {
      const source = played(moves);
      return seen(of(source), source, acts);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 6 }), fc.array(act, { maxLength: 8 }), async (moves, acts) => {
        expect(await ask(moves, acts, bodyOf)).toEqual(await ask(moves, acts, plain));
      }),
      { numRuns: runs(200) },
    );
  });

  it("can be read in any other way", async () => {
    const moves = [
      { later: 1, chunk: true },
      { later: 0, chunk: true },
      { later: 0, chunk: true, end: "close" as const },
    ];
    expect([...new Uint8Array(await new Response(bodyOf(played(moves))).arrayBuffer())]).toEqual([0, 1, 2]);
    const body = bodyOf(played(moves));
    const read: number[] = [];
    for await (const chunk of body.values({ preventCancel: true })) {
      read.push(...chunk);
      break;
    }
    for await (const chunk of body) read.push(...chunk);
    expect(read).toEqual([0, 1, 2]);
    expect(body.locked).toBe(false);
  });

  it("is locked meanwhile", async () => {
    const body = bodyOf(played([{ later: 0, chunk: true }]));
    await body[Symbol.asyncIterator]().next();
    // By their name: the runtime's errors are those of another realm than the test's, in Node 24.
    const locked = expect.objectContaining({ name: "TypeError" });
    expect(() => body.getReader()).toThrow(locked);
    expect(() => body[Symbol.asyncIterator]()).toThrow(locked);
    expect(await rejection(body.cancel())).toEqual(locked);
  });
});
