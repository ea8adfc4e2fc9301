import type { CallCore } from "../contract/call.js";
import type { CallId } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { CallMemory } from "../contract/runtime.js";
import type { MemoryRequest, MemoryResult } from "../contract/search.js";

/** The stack of a run, as far as its own plugins and tools call it. */
export interface RunLayers<Of> {
  readonly plugins: readonly Plugin[];
  /** The work that its runs have left behind, and that is not over. */
  readonly background: Set<Promise<void>>;
  call(
    kind: "memory",
    run: Of,
    request: MemoryRequest,
    core: CallCore<"memory">,
    parent: CallId,
  ): Promise<Outcome<MemoryResult, MemoryResult>>;
}

/** The function by which plugins and tools of a run carry out operations on a memory. */
export const memoryThrough =
  <Of>(layers: RunLayers<Of>, run: Of): CallMemory =>
  async (request, carryOut, { parent }) => {
    const outcome = await layers.call(
      "memory",
      run,
      request,
      async (invocation) => invocation.respond({ value: await carryOut(invocation.request, invocation.call) }),
      parent,
    );
    return outcome.final();
  };
