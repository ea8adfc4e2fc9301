import type { CallId, RuntimeContext } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { ambientStorage, type FrameworkRuns } from "@suite/core/framework";

/** The run with plugins that contains the calling code, and its call. */
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
export const setOwner = (run: Run, runs: FrameworkRuns): void => void owners.set(run, { runs, run });

/**
 * Returns the run with plugins that contains the calling code, or `undefined` outside of one. Also returns a run that
 * has ended: later calls of the SDK must not bypass its guards, and the run refuses them.
 */
export function currentRun(): CurrentRun | undefined {
  const current = ambientStorage()?.getStore();
  const owner = current && owners.get(current.runtime);
  return owner && { ...owner, call: current.call };
}
