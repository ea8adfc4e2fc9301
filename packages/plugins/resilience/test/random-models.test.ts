import { expect, it } from "@jest/globals";
import type { Delta, Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { circuitBreaker, hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { failed, part, reply, request } from "./support.js";

/** One attempt of a model: it is slow to answer, then shows so many pieces, and then fails, hangs or ends. */
interface Attempt {
  readonly wait: number;
  readonly pieces: number;
  readonly end: "well" | "fails" | "hangs" | "refuses";
}

interface Plan {
  readonly order: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly stream: boolean;
  /** Milliseconds after which the caller aborts, or after which the reader leaves; 0: neither. */
  readonly abortAfter: number;
  readonly leavesAfter: number;
}

const made: Readonly<Record<string, () => Plugin>> = {
  retry: () => retryModel({ maxAttempts: 3, initialDelay: 1, maxDelay: 2 }),
  hold: () => retryModel({ name: "hold", maxAttempts: 2, initialDelay: 1, hold: true }),
  fallback: () => modelFallback({ models: ["second"] }),
  timeout: () => timeout({ call: 20, firstChunk: 8, betweenChunks: 8 }),
  breaker: () => circuitBreaker({ failures: 3, openFor: 5 }),
  hedge: () => hedge({ delay: 3 }),
};

const attempt: fc.Arbitrary<Attempt> = fc.record({
  wait: fc.constantFrom(0, 0, 1, 4, 12),
  pieces: fc.nat({ max: 3 }),
  end: fc.constantFrom("well", "well", "fails", "fails", "hangs", "refuses"),
});
const plans: fc.Arbitrary<Plan> = fc.record({
  order: fc.shuffledSubarray(Object.keys(made)),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 12 }),
  stream: fc.boolean(),
  abortAfter: fc.constantFrom(0, 0, 0, 1, 5),
  leavesAfter: fc.constantFrom(0, 0, 0, 1),
});

const timersLeft = (): number => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;

/** Waits as a model's client does: an abort ends it. */
const waits = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = milliseconds === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });

/** Watches from one place in the list that each answer is settled once, and that nothing is shown after its end. */
function watching(name: string, open: Map<string, number>): Plugin {
  let number = 0;
  return {
    name,
    async model(invocation, callNext) {
      await callNext();
      const id = `${name} ${number++}`;
      open.set(id, 0);
      invocation.pipe({
        chunk(delta, emit) {
          expect(open.get(id)).toBe(0);
          emit(delta);
        },
        settle: () => void open.set(id, (open.get(id) ?? 0) + 1),
      });
    },
  };
}

async function live({ order, attempts, stream, abortAfter, leavesAfter }: Plan): Promise<void> {
  const open = new Map<string, number>();
  const plugins = order.flatMap((name) => [watching(`outside of ${name}`, open), (made[name] as () => Plugin)()]);
  const stack = new PluginStack([...plugins, watching("innermost", open)]);
  const abort = new AbortController();
  const run = stack.begin({ signal: abort.signal });
  run.takesBranches = true;
  // What hangs, with nothing in the list to give it up, is aborted in the end.
  const aborting = setTimeout(() => abort.abort(new Error("aborted")), abortAfter > 0 ? abortAfter : 50);
  let asked = 0;
  const seen: string[] = [];
  let error: unknown;
  try {
    const outcome = await stack.call("model", run, { ...request, stream }, async (invocation) => {
      const number = asked++;
      const { wait, pieces, end } = attempts[number % attempts.length] as Attempt;
      const { signal } = invocation;
      const ends = async () => {
        if (end === "hangs") await waits(Number.POSITIVE_INFINITY, signal);
        if (end === "fails") throw failed(503);
        if (end === "refuses") throw failed(400);
      };
      if (!stream) {
        await waits(wait, signal);
        await ends();
        return invocation.respond({ value: reply(`${number};`) });
      }
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          await waits(wait, signal);
          yield { type: "event", name: "start", value: number };
          for (let piece = 0; piece < pieces; piece++) yield part(`${number};`);
          await ends();
        })(),
      });
    });
    for await (const delta of outcome) {
      if (delta.type === "part" && delta.part.type === "text")
        seen.push(...delta.part.content.split(";").filter(Boolean));
      if (leavesAfter > 0 && seen.length >= leavesAfter) break;
    }
  } catch (thrown) {
    error = thrown;
  }
  clearTimeout(aborting);
  await run.end();
  // The reader has seen pieces of one answer alone, and each answer has settled once, wherever it was looked at.
  expect(new Set(seen).size).toBeLessThanOrEqual(1);
  expect([...open].filter(([, times]) => times !== 1)).toEqual([]);
  expect(error === undefined || error instanceof Error).toBe(true);
}

it("random models, whatever plugins there are, in whatever order: one answer, settled once, and no timer left", async () => {
  const before = timersLeft();
  await fc.assert(fc.asyncProperty(plans, live), { numRuns: runs(150) });
  await new Promise((resolve) => setImmediate(resolve));
  expect(timersLeft()).toBeLessThanOrEqual(before);
});
