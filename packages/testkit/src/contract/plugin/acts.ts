import type { Awaitable, Final, Kind, Notification, Outcome, Plugin } from "@suite/core";
import type { Answer } from "@suite/core/adapter";
import { PluginStack, type Run } from "@suite/core/adapter";
import { TestkitError } from "../../errors.js";
import { expectEqual, expectThat, within } from "../expect.js";
import type { PluginAct } from "./act.js";
import { Rig, streamOf, thrownBy } from "./rig.js";
import { frozen, type Sample, samplesOf } from "./samples.js";

/** The end of one call, and the value or error that it ended with. */
type Ending = { readonly by: "core" } | { readonly by: "answer" | "error" | "suspension"; readonly given: unknown };

/** One promise of plugins that act. It rejects if the promise does not hold. */
export interface ActScenario {
  readonly name: string;
  /** True if the promise can be tested with this act. */
  applies(act: PluginAct): boolean;
  run(act: PluginAct): Promise<void>;
}

type Mode = "value" | "stream";

/** A running instance: makes calls of its kind, one after the other, and collects notifications. */
class Acting {
  readonly notifications: Notification[] = [];
  readonly #rig: Rig;
  readonly #sample: Sample<Kind>;

  private constructor(
    readonly act: PluginAct,
    plugin: Plugin,
  ) {
    this.#rig = new Rig(plugin, [
      { name: "ears", observe: (notification) => void this.notifications.push(notification) },
    ]);
    this.#sample = frozen(samplesOf("Köln"))[act.kind] as Sample<Kind>;
  }

  static async of(act: PluginAct, create: () => Awaitable<Plugin> = () => act.create()): Promise<Acting> {
    return new Acting(act, await create());
  }

  get stack(): PluginStack {
    return this.#rig.stack;
  }

  async calls(run: Run, count: number, mode: Mode): Promise<readonly Ending[]> {
    const endings: Ending[] = [];
    for (let made = 0; made < count; made++) endings.push(await this.call(run, mode));
    return endings;
  }

  async call(run: Run, mode: Mode): Promise<Ending> {
    let entered = false;
    const core = (): Answer<Kind> => {
      entered = true;
      return (mode === "value" ? { value: this.#sample.final } : { stream: streamOf(this.#sample) }) as Answer<Kind>;
    };
    let outcome: Outcome<unknown, Final<Kind>> | undefined;
    let final: unknown;
    const thrown = await thrownBy(async () => {
      outcome = await this.#rig.call(run, this.act.kind, this.#sample.request, core);
      if (mode === "stream") for await (const _ of outcome) void _;
      final = await outcome.final();
    });
    const settlement = await outcome?.settled;
    if (settlement?.status === "suspended") return { by: "suspension", given: settlement.pending };
    if (thrown !== undefined) return { by: "error", given: thrown.error };
    if (!entered) return { by: "answer", given: final };
    expectEqual(final, this.#sample.final, "the answer of a call that passes");
    return { by: "core" };
  }

  /** Checks that every layer has ended once, and that nothing was reported as a fault. */
  check(): Promise<void> {
    return this.#rig.check();
  }
}

function expectActs({ by, is }: PluginAct, ending: Ending | undefined): void {
  expectEqual(ending?.by, by, "what came of the call that it acts on");
  expectThat(ending !== undefined && "given" in ending && is(ending.given), `the ${by} is another than meant`);
}

function expectPasses(endings: readonly Ending[]): void {
  for (const [index, { by }] of endings.entries()) expectEqual(by, "core", `what answered call ${index + 1}`);
}

/** Returns the plugin's decisions among the notifications. */
const decisionsOf = (notifications: readonly Notification[], name: string): readonly Notification[] =>
  notifications.filter((one) => "plugin" in one && one.plugin === name);

const inMode = (mode: Mode): ActScenario => ({
  name: `acts on the call that it is meant to act on, and on none before, ${mode === "value" ? "plain" : "streamed"}`,
  applies: () => true,
  async run(act) {
    const acting = await Acting.of(act);
    const run = acting.stack.begin();
    expectPasses(await acting.calls(run, act.after, mode));
    expectActs(act, await acting.call(run, mode));
    await run.end();
    await acting.check();
  },
});

/** The promises of every plugin with an intended act. */
export const actScenarios: readonly ActScenario[] = [
  inMode("value"),
  inMode("stream"),
  {
    name: "tells its decision, under its name and as enforced",
    applies: ({ by }) => by !== "suspension",
    async run(act) {
      const acting = await Acting.of(act);
      const [plugin] = acting.stack.plugins.filter(({ name }) => name !== "ears");
      const run = acting.stack.begin();
      await acting.calls(run, act.after, "value");
      const before = acting.notifications.length;
      await acting.call(run, "value");
      await run.end();
      const names = new Set(acting.stack.plugins.map(({ name }) => name));
      const notifications = acting.notifications
        .slice(before)
        .filter((one) => "plugin" in one && names.has(String(one.plugin)));
      expectThat(notifications.length > 0, `nothing was told of it under a plugin's name (${plugin?.name})`);
      for (const one of notifications) expectEqual("enforced" in one && one.enforced, true, "enforced");
    },
  },
  {
    name: "begins anew in each run, also in two at the same time",
    applies: ({ shared }) => shared !== true,
    async run(act) {
      const acting = await Acting.of(act);
      const runs = [acting.stack.begin(), acting.stack.begin()] as const;
      for (let made = 0; made < act.after; made++) {
        for (const run of runs) expectPasses([await acting.call(run, "value")]);
      }
      for (const run of runs) expectActs(act, await acting.call(run, "value"));
      const next = acting.stack.begin();
      expectPasses(await acting.calls(next, act.after, "value"));
      for (const run of [...runs, next]) await run.end();
      await acting.check();
    },
  },
  {
    name: "goes on where it was when a suspended run goes on",
    applies: ({ durable }) => durable === true,
    async run(act) {
      const before = await Acting.of(act);
      const first = before.stack.begin();
      expectPasses(await before.calls(first, act.after, "value"));
      const durable = JSON.parse(JSON.stringify(first.save())) as Record<string, unknown>;
      await first.end();
      const after = await Acting.of(act);
      const second = after.stack.begin({ runId: first.runId, durable });
      expectActs(act, await after.call(second, "value"));
      await second.end();
      await after.check();
    },
  },
  {
    name: "lets everything pass in monitor mode, and tells what it would have done",
    applies: ({ monitor }) => monitor !== undefined,
    async run(act) {
      const acting = await Acting.of(act, () => act.monitor?.() ?? act.create());
      const run = acting.stack.begin();
      expectPasses(await acting.calls(run, act.after + 2, "value"));
      await run.end();
      const notifications = acting.stack.plugins.flatMap(({ name }) => decisionsOf(acting.notifications, name));
      expectThat(notifications.length > 0, "nothing was told of what it would have done");
      for (const one of notifications) expectEqual("enforced" in one && one.enforced, false, "enforced");
      await acting.check();
    },
  },
  {
    name: "leaves the errors of calls that pass as they are",
    applies: ({ after }) => after > 0,
    async run(act) {
      const plugin = await act.create();
      const stack = new PluginStack([plugin]);
      const run = stack.begin();
      const error = new RangeError("mine");
      const { request } = samplesOf("Köln")[act.kind] as Sample<Kind>;
      const thrown = await thrownBy(async () => {
        const outcome = await within(
          stack.call(act.kind, run, request, async () => {
            throw error;
          }),
          "a call that fails",
        );
        await outcome.final();
      });
      expectThat(thrown?.error === error, "another error came out than went in");
      await run.end();
    },
  },
];

/** Runs the promise for one act. A failure is reported under the act's name. */
export async function runAct(scenario: ActScenario, act: PluginAct): Promise<void> {
  try {
    await scenario.run(act);
  } catch (error) {
    if (!TestkitError.is(error)) throw error;
    throw new TestkitError("ERR_TESTKIT_EXPECTATION", `${act.name}: ${error.message}`, { cause: error });
  }
}
