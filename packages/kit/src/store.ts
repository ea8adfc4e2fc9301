/** State that outlives a run: the in-memory store, and the checks for authors of other stores. */
export { checkAmount, checkTtl, otherKind, overflow } from "./store/check.js";
export { type MemoryStoreOptions, memoryStateStore } from "./store/memory.js";
