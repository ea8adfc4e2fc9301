import type { Open } from "./open-work.js";

/** The owner of a flow: the members of a run that a flow needs. */
export interface FlowOwner {
  /** The caller's signal. After it has aborted, waits are short. */
  readonly caller: AbortSignal | undefined;
  release(flow: Open): void;
  fault(where: string, error: unknown): void;
  /** The abort that the source received, if that does not end the answer by itself. */
  readonly abort: { readonly reason: unknown } | undefined;
  /** Adds work that must end before the run does. */
  await(work: Promise<void>): void;
}
