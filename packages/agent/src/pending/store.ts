import type { StateStore } from "@suite/core";

/**
 * A store that remembers which pending states were resumed or reported as expired. Any `StateStore` works; only `claim`
 * is used. Of several concurrent callers, one gets `true`. Processes that resume the same states need a shared store.
 * Without one, each process can use a state once.
 */
export type ResumeStore = Pick<StateStore, "claim">;

/**
 * Creates a store in this process, without a limit of entries. It removes claims when they expire, after which the
 * state is refused anyway.
 */
export function memoryResumeStore(): ResumeStore {
  /** The end of each claim in milliseconds since the epoch, by key. */
  const claimed = new Map<string, number>();
  return {
    claim(key, { ttl = Number.POSITIVE_INFINITY } = {}) {
      const now = Date.now();
      if ((claimed.get(key) ?? 0) > now) return false;
      if (claimed.size % 1000 === 999) {
        for (const [old, end] of claimed) if (end <= now) claimed.delete(old);
      }
      claimed.set(key, now + ttl);
      return true;
    },
  };
}

/** The store of all agents in the process that set none. */
export const processStore: ResumeStore = memoryResumeStore();
