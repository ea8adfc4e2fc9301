/**
 * Remembers which pending states were resumed. `claim` is atomic: of several callers one gets `true`. Processes that
 * resume the same states need a store that they share; without one, "once" holds per process.
 */
export interface ResumeStore {
  /** @param expiresAt milliseconds since the epoch; the claim need not be kept longer. */
  claim(id: string, expiresAt: number): Promise<boolean>;
}

/** A store of this process. It forgets claims once they have expired: an expired state is refused anyway. */
export function memoryResumeStore(): ResumeStore {
  const claimed = new Map<string, number>();
  return {
    async claim(id, expiresAt) {
      if (claimed.has(id)) return false;
      if (claimed.size % 1000 === 999) {
        const now = Date.now();
        for (const [old, expires] of claimed) if (expires < now) claimed.delete(old);
      }
      claimed.set(id, expiresAt);
      return true;
    },
  };
}

/** Of all agents of the process that are given no store. */
export const processStore: ResumeStore = memoryResumeStore();
