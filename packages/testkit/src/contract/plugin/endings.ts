import { type Invocation, type Kind, MiddlewareTermination } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { expectEqual, expectThat, within } from "../expect.js";
import { inner, outer } from "../rules.js";
import { type Rig, streamOf, thrownBy } from "./rig.js";
import type { Sample } from "./samples.js";
import { forEachKind, type PluginScenario } from "./scenario.js";

/** A stream that emits its first chunk and then hangs. */
async function* hanging<K extends Kind>(sample: Sample<K>): AsyncGenerator<Sample<K>["chunks"][number], void> {
  const [first] = sample.chunks;
  if (first !== undefined) yield first;
  await new Promise(() => {});
}

async function* failing<K extends Kind>(
  sample: Sample<K>,
  error: unknown,
): AsyncGenerator<Sample<K>["chunks"][number], void> {
  const [first] = sample.chunks;
  if (first !== undefined) yield first;
  throw error;
}

/** Returns the ends of the scenario's call. A plugin may have made further calls within it. */
const statuses = (rig: Rig, kind: Kind): readonly (string | undefined)[] =>
  [inner, outer].map(
    (layer) =>
      rig.recording.events.find((event) => event.layer === layer && event.type === "end" && event.call.kind === kind)
        ?.status,
  );

const expectSame = (thrown: { readonly error: unknown } | undefined, error: unknown): void => {
  expectThat(thrown !== undefined, "the error was swallowed");
  expectThat(thrown.error === error, "another error came out than went in");
};

/** The promises about the ends of calls. */
export const endings: readonly PluginScenario[] = [
  forEachKind("errors and terminations of a call pass as the same object", async (rig, kind, sample) => {
    for (const error of [new RangeError("mine"), new MiddlewareTermination("enough"), "a text"]) {
      const run = rig.stack.begin();
      const call = (): Promise<unknown> =>
        rig.call(run, kind, sample.request, () => {
          throw error;
        });
      expectSame(await thrownBy(call), error);
      await run.end();
    }
  }),

  forEachKind("errors in mid-stream pass as the same object", async (rig, kind, sample) => {
    const error = new RangeError("mine");
    const run = rig.stack.begin();
    const outcome = await rig.call(run, kind, sample.request, () => ({ stream: failing(sample, error) }));
    expectSame(await thrownBy(() => outcome.final()), error);
    expectEqual(statuses(rig, kind), ["failed", "failed"], "how the inner and the outer layer ended");
    await run.end();
  }),

  forEachKind("an abort ends a call that hangs, once", async (rig, kind, sample) => {
    const controller = new AbortController();
    const run = rig.stack.begin({ signal: controller.signal });
    // Counted from the core: a plugin may take time before it, and an abort then prevents the call.
    const core = () => {
      setTimeout(() => controller.abort(), 10);
      return { stream: hanging(sample) };
    };
    const read = async (): Promise<unknown> => (await rig.call(run, kind, sample.request, core)).final();
    const thrown = await thrownBy(() => within(read(), "an abort", 1000));
    expectThat(thrown?.error === controller.signal.reason, "the abort did not come out as its reason");
    await within(run.end(), "the end of the run", 1000);
    expectEqual(statuses(rig, kind), ["cancelled", "cancelled"], "how the inner and the outer layer ended");
  }),

  forEachKind("an answer that is never read ends with its run", async (rig, kind, sample) => {
    const run = rig.stack.begin();
    await rig.call(run, kind, sample.request, () => ({ stream: streamOf(sample) }));
    await within(run.end(), "the end of the run", 2000);
    for (const status of statuses(rig, kind))
      expectThat(status === "cancelled" || status === "completed", `a layer ended as ${status}`);
  }),

  forEachKind("a reader who stops ends the answer", async (rig, kind, sample) => {
    const run = rig.stack.begin();
    const outcome = await rig.call(run, kind, sample.request, () => ({ stream: streamOf(sample) }));
    for await (const _ of outcome) break;
    expectThat(
      (await within(outcome.settled, "the end of the answer", 2000)).status !== "failed",
      "it ended as failed",
    );
    await run.end();
  }),

  forEachKind("a layer further out may try again", async (rig, kind, sample, subject) => {
    const again = async (invocation: Invocation<Kind>, callNext: () => Promise<void>): Promise<void> => {
      await callNext();
      await invocation.result?.ready();
      await callNext();
    };
    const stack = new PluginStack([{ name: "again", [kind]: again }, ...rig.stack.plugins]);
    const run = stack.begin();
    const core = async (invocation: Invocation<typeof kind>): Promise<void> =>
      invocation.respond({ stream: streamOf(sample) });
    const final = await (
      await within(stack.call(kind, run, sample.request, core), "a call that is tried again")
    ).final();
    if (subject.changes !== true) expectEqual(final, sample.final, "the answer");
    await run.end();
  }),

  {
    name: "close() may be called twice, before any run too",
    async run(subject) {
      const plugin = await subject.create();
      for (const time of ["first", "second"]) await within(Promise.resolve(plugin.close?.()), `the ${time} close()`);
    },
  },
];
