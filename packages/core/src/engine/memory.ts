import type { CallCore } from "../contract/call.js";
import type { CallId } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { CallMemory } from "../contract/runtime.js";
import type { MemoryRequest, MemoryResult } from "../contract/search.js";

/** A run's stack, as far as its plugins and tools use it. */
export interface RunLayers<Of> {
  readonly plugins: readonly Plugin[];
  /** Background work that has not ended. */
  readonly background: Set<Promise<void>>;
  call(
    kind: "memory",
    run: Of,
    request: MemoryRequest,
    core: CallCore<"memory">,
    parent: CallId,
  ): Promise<Outcome<MemoryResult, MemoryResult>>;
}

/** Creates the function that runs memory operations for the plugins and tools of a run. */
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
