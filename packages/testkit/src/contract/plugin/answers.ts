import type { Kind, Outcome } from "@suite/core";
import { kinds, PluginStack } from "@suite/core/adapter";
import { expectEqual, expectThat } from "../expect.js";
import { Rig, streamOf, thrownBy } from "./rig.js";
import { frozen, type Sample, samplesOf } from "./samples.js";
import { forEachKind, type PluginScenario } from "./scenario.js";
import type { PluginSubject } from "./subject.js";

/** The promises about calls that a plugin lets through. */
export const answers: readonly PluginScenario[] = [
  {
    name: "a hook that it does not have is not there in the stack",
    async run(subject) {
      const plugin = await subject.create();
      const stack = new PluginStack([plugin]);
      // If several hooks do the same, only the first is called.
      const same: readonly Kind[] = plugin.oneOf ?? [];
      const first = same.find((kind) => plugin[kind] !== undefined);
      for (const kind of kinds) {
        const is = plugin[kind] !== undefined && (kind === first || !same.includes(kind));
        expectEqual(stack.has[kind], is, `whether there is a ${kind} onion`);
      }
      const run = stack.begin();
      if (plugin.systemPrompt === undefined)
        expectEqual(stack.systemPrompt("Be brief.", run), "Be brief.", "the system prompt");
      if (plugin.tools === undefined) expectEqual(await stack.tools(run), [], "the tools");
      await run.end();
      await stack.close();
    },
  },

  forEachKind(
    "a plain answer passes, and nothing that the plugin is given is mutated",
    async (rig, kind, sample, subject) => {
      const run = rig.stack.begin();
      const outcome = await rig.call(run, kind, sample.request, () => ({ value: sample.final }));
      const final = await outcome.final();
      if (subject.changes !== true) expectEqual(final, sample.final, "the answer");
      await run.end();
      expectEqual((await outcome.settled).status, "completed", "how it ended");
    },
  ),

  forEachKind("a streamed answer passes, and comes to the same as a plain one", async (rig, kind, sample, subject) => {
    const run = rig.stack.begin();
    const outcome = await rig.call(run, kind, sample.request, () => ({ stream: streamOf(sample) }));
    const seen = [];
    for await (const chunk of outcome) seen.push(chunk);
    const final = await outcome.final();
    if (subject.changes !== true) expectEqual(final, sample.final, "the answer");
    expectThat(seen.length > 0, "no chunk came");
    const unstreamed = await rig.call(run, kind, sample.request, () => ({ value: sample.final }));
    expectEqual(final, await unstreamed.final(), "the answer that streamed");
    await run.end();
  }),

  forEachKind("a suspended answer passes", async (rig, kind, sample) => {
    const run = rig.stack.begin();
    const pending = frozen([
      { reason: "external" as const, part: { type: "tool_call" as const, id: "c", name: "look", arguments: {} } },
    ]);
    const outcome = await rig.call(run, kind, sample.request, () => ({ suspended: pending }));
    await thrownBy(() => outcome.final());
    const settlement = await outcome.settled;
    expectEqual(settlement.status, "suspended", "how it ended");
    if (settlement.status === "suspended")
      expectEqual(
        settlement.pending.map(({ part }) => part.id),
        ["c"],
        "what is pending",
      );
    await run.end();
  }),

  forEachKind(
    "one instance serves two runs at the same time without mixing them",
    async (rig, kind, _sample, subject) => {
      const words = ["Köln", "Bonn"];
      const alone: unknown[] = [];
      for (const word of words) alone.push(await finalAlone(subject, kind, word));
      const runs = words.map(() => rig.stack.begin());
      const outcomes: Outcome<unknown, unknown>[] = [];
      for (const [i, word] of words.entries()) {
        const sample = samplesOf(word)[kind] as Sample<typeof kind>;
        const run = runs[i];
        if (run !== undefined)
          outcomes.push(await rig.call(run, kind, sample.request, () => ({ stream: streamOf(sample) })));
      }
      const readers = outcomes.map((outcome) => outcome[Symbol.asyncIterator]());
      for (let open = readers; open.length > 0; ) {
        const steps = await Promise.all(
          open.map(async (reader) => ({ reader, done: (await reader.next()).done === true })),
        );
        open = steps.filter((step) => !step.done).map((step) => step.reader);
      }
      const finals = await Promise.all(outcomes.map((outcome) => outcome.final()));
      expectEqual(finals, alone, "the answers of two runs at the same time");
      await Promise.all(runs.map((run) => run.end()));
    },
  ),
];

async function finalAlone(subject: PluginSubject, kind: Kind, word: string): Promise<unknown> {
  const rig = await Rig.of(subject);
  const run = rig.stack.begin();
  const sample = samplesOf(word)[kind] as Sample<typeof kind>;
  const final = await (await rig.call(run, kind, sample.request, () => ({ stream: streamOf(sample) }))).final();
  await run.end();
  await rig.stack.close();
  return final;
}
