import { describe, expect, it } from "@jest/globals";
import type { Delta, Plugin, Reply, Stage } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { assembleReply } from "@suite/core/messages";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { answered, dependent, independent, stackOf } from "./random.js";
import { call, request, staged } from "./support.js";

type Stages = Readonly<Record<string, () => Stage<Delta, unknown>>>;

const streamed =
  (deltas: readonly Delta[]): CallCore<"model"> =>
  async (invocation) =>
    invocation.respond({
      stream: (async function* () {
        yield* deltas;
      })(),
    });
const plain =
  (value: Reply): CallCore<"model"> =>
  async (invocation) =>
    invocation.respond({ value });

/** Makes a stack of these stages, new, each with a note of what it let through. */
function stackOfStages(names: readonly string[], from: Stages) {
  const seen: unknown[] = [];
  const plugins = names.map((name, index): Plugin => {
    const stage = from[name]?.() ?? {};
    const settle: Stage<Delta, unknown>["settle"] = (settlement) => {
      seen[index] = settlement.status === "completed" ? settlement.final : settlement.status;
    };
    return staged({ ...stage, settle });
  });
  return { plugins, seen };
}

/** Reads an answer: its value, and what each stage let through. */
async function read(names: readonly string[], from: Stages, core: CallCore<"model">, iterate: boolean) {
  const { plugins, seen } = stackOfStages(names, from);
  const { outcome, run } = await call("model", plugins, request, core);
  const chunks: Delta[] = [];
  if (iterate) for await (const delta of outcome) chunks.push(delta);
  const final = await outcome.final();
  await run.end();
  return { final, seen, assembled: iterate ? assembleReply(chunks) : final };
}

const { pass = () => ({}), watch = () => ({}) } = independent;
const unchanging: Stages = { pass, watch };

describe("any stack of stages over any stream", () => {
  it("gives the value of the chunks that it let through", () =>
    fc.assert(
      fc.asyncProperty(stackOf(dependent), answered, async (names, { deltas }) => {
        const { final, assembled } = await read(names, dependent, streamed(deltas), true);
        expect(assembled).toEqual(final);
      }),
      { numRuns: runs(300) },
    ));

  it("gives the same value, to each stage too, read chunk by chunk or drained", () =>
    fc.assert(
      fc.asyncProperty(stackOf(dependent), answered, async (names, { deltas }) => {
        const read1 = await read(names, dependent, streamed(deltas), true);
        const read2 = await read(names, dependent, streamed(deltas), false);
        expect([read2.final, read2.seen]).toEqual([read1.final, read1.seen]);
      }),
      { numRuns: runs(300) },
    ));

  it("returns the same value, to each stage too, streamed in any pieces or complete, if pieces do not matter to it", () =>
    fc.assert(
      fc.asyncProperty(stackOf(independent), answered, async (names, { reply, deltas }) => {
        const cut = await read(names, independent, streamed(deltas), true);
        for (const iterate of [true, false]) {
          const whole = await read(names, independent, plain(reply), iterate);
          expect([whole.final, whole.seen, whole.assembled]).toEqual([cut.final, cut.seen, cut.final]);
        }
      }),
      { numRuns: runs(500) },
    ));

  it("returns the original reply if nothing changes it", () =>
    fc.assert(
      fc.asyncProperty(stackOf(unchanging), answered, async (names, { reply, deltas }) => {
        expect((await read(names, independent, streamed(deltas), false)).final).toEqual(reply);
        expect((await read(names, independent, plain(reply), false)).final).toBe(reply);
      }),
      { numRuns: runs(100) },
    ));
});
