import type { FrameworkRuns, InRun } from "@suite/core/framework";

/** The parts of LangChain's runtime and configuration that identify a conversation. */
interface Configured {
  readonly configurable?: { readonly thread_id?: unknown } | undefined;
}

/** Returns the `sessionId` of a run: the thread id of its graph. */
export function sessionOf(at: Configured | undefined): { readonly sessionId?: string } {
  const thread = at?.configurable?.thread_id;
  return thread === undefined || thread === "" ? {} : { sessionId: String(thread) };
}

/** Runs a function in the run of the agent around it, or in a new run. */
export async function inRun<T>(runs: FrameworkRuns, body: (within: InRun) => Promise<T>, at?: Configured): Promise<T> {
  const { current } = runs;
  const started = current === undefined ? { run: runs.begin(sessionOf(at)) } : undefined;
  try {
    return await body(current ?? (started as InRun));
  } catch (error) {
    started?.run.failed(error);
    throw error;
  } finally {
    await started?.run.end();
  }
}
