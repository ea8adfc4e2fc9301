// What a runtime is asked to do, and tells: core's probe, and the checks of the engine of @suite/pii. No import but these.
import { runChecks } from "../../packages/plugins/pii/test/engine-checks/index.mjs";
import { probe } from "./probe.mjs";

/** @param {import("../../packages/plugins/pii/test/engine-checks/check.mjs").Suite} suite */
export async function report(suite) {
  return { probe: await probe(suite.core), engine: suite.pii.engine(), checks: await runChecks(suite) };
}
