import type { Kind } from "@suite/core";
import { TestkitError } from "../../errors.js";
import { Rig } from "./rig.js";
import { frozen, type Sample, samplesOf } from "./samples.js";
import type { PluginSubject } from "./subject.js";

/** One promise of every plugin, as a plain function. It rejects if the promise does not hold. */
export interface PluginScenario {
  readonly name: string;
  run(subject: PluginSubject): Promise<void>;
}

type Body = <K extends Kind>(rig: Rig, kind: K, sample: Sample<K>, subject: PluginSubject) => Promise<void>;

/** Creates a promise for each kind that the plugin hooks, each with a new instance. */
export const forEachKind = (name: string, body: Body): PluginScenario => ({
  name,
  async run(subject) {
    for (const kind of (await Rig.of(subject)).kinds) {
      const rig = await Rig.of(subject);
      try {
        await body(rig, kind, frozen(samplesOf("Köln"))[kind] as Sample<typeof kind>, subject);
        await rig.check();
      } catch (error) {
        if (!TestkitError.is(error)) throw error;
        throw new TestkitError("ERR_TESTKIT_EXPECTATION", `${kind}: ${error.message}`, { cause: error });
      }
    }
  },
});
