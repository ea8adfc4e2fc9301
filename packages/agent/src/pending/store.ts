import type { StateStore } from "@suite/core";

/**
 * A store that remembers which pending states were resumed, or told as expired: any `StateStore`, of which `claim` is
 * used. Of several callers one gets `true`. Processes that resume the same states need a store that they share; without
 * one, "once" holds per process.
 */
export type ResumeStore = Pick<StateStore, "claim">;

/** A store of this process, without a limit of entries. It forgets claims when their time is over: so late, a state is refused anyway. */
export function memoryResumeStore(): ResumeStore {
  /** Milliseconds since the epoch, by key. */
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

/** The store of all agents of the process that are given none. */
export const processStore: ResumeStore = memoryResumeStore();
