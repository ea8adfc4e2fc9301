import type { Outcome, Settlement } from "@suite/core";

/** How an outcome ended, read to its end. Never rejects. */
export async function settlementOf<C, F>(outcome: Outcome<C, F>): Promise<Settlement<F>> {
  await outcome.final().catch(() => {}); // told by the settlement
  return outcome.settled;
}
