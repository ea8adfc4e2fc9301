import type { Expiry, StateStore } from "@suite/core";

/**
 * Takes back what was counted and not used. If the count is gone meanwhile (it expired, its user was forgotten, or the store
 * lost it), nothing of it becomes a credit.
 */
export async function giveBack(store: StateStore, key: string, amount: number, expiry: Expiry): Promise<void> {
  const { total } = await store.add(key, -amount, expiry);
  if (total < 0) await store.add(key, -total, expiry);
}
