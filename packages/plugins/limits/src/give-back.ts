import type { StateStore } from "@suite/core";
import type { Expiry } from "@suite/core/contract";

/**
 * Subtracts an unused amount from a count. If the count has disappeared (expired, erased with its user, or lost), no
 * credit remains.
 */
export async function giveBack(store: StateStore, key: string, amount: number, expiry: Expiry): Promise<void> {
  const { total } = await store.add(key, -amount, expiry);
  if (total < 0) await store.add(key, -total, expiry);
}
