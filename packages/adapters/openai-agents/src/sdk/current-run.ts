import type { CallId, RuntimeContext } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { ambientStorage, type FrameworkRuns } from "@suite/core/framework";

/** The run with plugins that the calling code is in, and the call of it. */
export interface CurrentRun {
  readonly runs: FrameworkRuns;
  readonly run: Run;
  readonly call: CallId;
}

interface Owner {
  readonly runs: FrameworkRuns;
  readonly run: Run;
}

const owners = new WeakMap<RuntimeContext, Owner>();

/** Registers a run, so that `currentRun` finds it. */
export const own = (run: Run, runs: FrameworkRuns): void => void owners.set(run, { runs, run });

/**
 * The run with plugins that the calling code is in; undefined outside of one. Also one that has ended: what the SDK goes on
 * with then must not pass its guards by, and is refused by the run.
 */
export function currentRun(): CurrentRun | undefined {
  const current = ambientStorage()?.getStore();
  const owner = current && owners.get(current.runtime);
  return owner && { ...owner, call: current.call };
}
