import type { Outcome, Settlement } from "@suite/core";

/** Reads an answer to its end, and gives how it ended. Never rejects. */
export async function settlementOf<Final>(outcome: Outcome<unknown, Final>): Promise<Settlement<Final>> {
  await outcome.final().catch(() => {}); // told by the settlement
  return outcome.settled;
}

/** What an answer did not end well with. */
export const reasonOf = (settlement: Settlement<unknown> & { readonly status: "failed" | "cancelled" }): unknown =>
  settlement.status === "failed" ? settlement.error : settlement.reason;
