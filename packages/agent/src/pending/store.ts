/**
 * Remembers which pending states were resumed, or told as expired. `claim` is atomic: of several callers one gets `true`. Processes that
 * resume the same states need a store that they share; without one, "once" holds per process.
 */
export interface ResumeStore {
  /** @param until milliseconds since the epoch, a week after the state expires; the claim need not be kept longer. */
  claim(id: string, until: number): Promise<boolean>;
}

/** A store of this process. It forgets claims when their time is over: so late, a state is refused anyway. */
export function memoryResumeStore(): ResumeStore {
  const claimed = new Map<string, number>();
  return {
    async claim(id, until) {
      if (claimed.has(id)) return false;
      if (claimed.size % 1000 === 999) {
        const now = Date.now();
        for (const [old, end] of claimed) if (end < now) claimed.delete(old);
      }
      claimed.set(id, until);
      return true;
    },
  };
}

/** Of all agents of the process that are given no store. */
export const processStore: ResumeStore = memoryResumeStore();
