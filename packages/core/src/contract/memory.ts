import type { CallId } from "./call.js";
import type { MemoryRequest, MemoryResult } from "./kinds.js";
import type { Awaitable } from "./protocol.js";

/**
 * An operation on a memory from inside a plugin or a tool, as one call through all `memory` layers of the run: guards see
 * what is searched for, found and kept, and spans and records tell of it. `carryOut` does the work, with the request as the
 * layers made it; it is called again where one tries again, and not at all where one answers in its place.
 */
export type CallMemory = (
  request: MemoryRequest,
  carryOut: (request: MemoryRequest, call: CallId) => Awaitable<MemoryResult>,
  options: MemoryOptions,
) => Promise<MemoryResult>;

/** The options of an operation on a memory. */
export interface MemoryOptions {
  /** The call within which it happens: spans and records hang below it, and so does its abort. */
  readonly parent: CallId;
}
