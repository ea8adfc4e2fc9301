import type { Open } from "./open-work.js";

/** The owner of a flow: what it needs of its run. */
export interface FlowOwner {
  /** The caller's signal: from when it aborts, nothing is waited for for long. */
  readonly caller: AbortSignal | undefined;
  release(flow: Open): void;
  fault(where: string, error: unknown): void;
  /** The abort that the source was told of, where that does not end the answer by itself. */
  readonly abort: { readonly reason: unknown } | undefined;
  /** Work that the run must not end before. */
  await(work: Promise<void>): void;
}
