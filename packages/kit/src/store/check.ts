import { CoreError } from "@suite/core";
import type { Expiry } from "@suite/core/contract";

/**
 * Returns the time to live of an entry, in milliseconds.
 *
 * @throws {CoreError} `ERR_INVALID_STORE_CALL`
 */
export function checkTtl(expiry: Expiry | undefined): number | undefined {
  const ttl = expiry?.ttl;
  if (ttl === undefined || (Number.isSafeInteger(ttl) && ttl > 0)) return ttl;
  throw new CoreError("ERR_INVALID_STORE_CALL", "The ttl of an entry must be an integer of at least 1 (milliseconds).");
}

/**
 * Checks that no store has to round the amount.
 *
 * @throws {CoreError} `ERR_INVALID_STORE_CALL`
 */
export function checkAmount(amount: number, maximum: number | undefined): void {
  if (Number.isSafeInteger(amount) && (maximum === undefined || Number.isSafeInteger(maximum))) return;
  throw new CoreError("ERR_INVALID_STORE_CALL", "The amount and the maximum of a counter must be integers.");
}

/** Creates the error for a key that is used as two kinds of entry. */
export const otherKind = (): CoreError =>
  new CoreError("ERR_INVALID_STORE_CALL", "The key contains an entry of another kind. Use each key for one kind only.");

/** Creates the error for a total that is not a safe integer, which a store would round. */
export const overflow = (): CoreError =>
  new CoreError("ERR_INVALID_STORE_CALL", "The total of the counter would not be a safe integer. Nothing was added.");
