/** State that outlives a run: the store of this process, and what authors of other stores check with. */
export type { Added, Expiry, StateStore, StoredValue } from "./contract/store.js";
export { checkAmount, checkTtl, otherKind, overflow } from "./store/check.js";
export { type MemoryStoreOptions, memoryStateStore } from "./store/memory.js";
