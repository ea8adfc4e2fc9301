import type { FrameworkRuns, InRun } from "@suite/core/framework";

/** Runs a body in the run of the agent around, else in a run of its own. */
export async function inRun<T>(runs: FrameworkRuns, body: (within: InRun) => Promise<T>): Promise<T> {
  const { current } = runs;
  const own = current === undefined ? { run: runs.begin() } : undefined;
  try {
    return await body(current ?? (own as InRun));
  } catch (error) {
    own?.run.failed(error);
    throw error;
  } finally {
    await own?.run.end();
  }
}
