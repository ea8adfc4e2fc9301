import type { CallId, RuntimeContext } from "@suite/core";
import { isRecord } from "@suite/kit";
import { type Ticket, ticketIn, verify } from "../messages/ticket.js";
import type { Waited } from "./history.js";

/** A suspended run that continues. */
export interface Resumed {
  readonly runId: string;
  readonly durable: Readonly<Record<string, unknown>>;
  /** The time of each call's handoff in milliseconds since the epoch, by call id. */
  readonly handedOut: ReadonlyMap<string, number>;
}

/** Returns the run that these calls belong to, by their tickets. Returns `undefined` if no ticket is valid. */
export async function resumedFrom(waited: readonly Waited[], key: CryptoKey): Promise<Resumed | undefined> {
  const handedOut = new Map<string, number>();
  let latest: Ticket | undefined;
  for (const call of waited) {
    const ticket = ticketIn(call.providerOptions);
    if (ticket === undefined || !(await verify(ticket, call, key))) continue;
    handedOut.set(call.id, ticket.at);
    if (latest === undefined || ticket.at >= latest.at) latest = ticket;
  }
  if (latest === undefined) return undefined;
  const state: unknown = JSON.parse(latest.state);
  return { runId: latest.run, durable: isRecord(state) ? state : {}, handedOut };
}

/**
 * Notifies plugins of decisions and results that arrived while the run waited.
 *
 * @param admits returns true if plugins check the approval of this tool's calls before they run. The decision is
 * reported then.
 */
export function notifyOfResumption(
  waited: readonly Waited[],
  resumed: Resumed | undefined,
  runtime: RuntimeContext,
  call: CallId,
  admits: (tool: string) => boolean,
): void {
  for (const { id, name, arguments: args, approval, result } of waited) {
    const about = { call, toolCallId: id, toolName: name };
    // The framework wrote this result in an earlier turn, and plugins were notified of the denial.
    if (approval?.approved === false && result !== undefined) continue;
    if (approval !== undefined && !(approval.approved && admits(name))) {
      runtime.notify({ type: "approval", ...about, decision: approval.approved ? "approved" : "rejected" });
    }
    const denied = approval?.approved === false;
    // Without a ticket it is unknown if the result was reported before.
    const handedOutAt = resumed?.handedOut.get(id);
    if ((result === undefined && !denied) || handedOutAt === undefined) continue;
    runtime.notify({
      type: "external_result",
      ...about,
      arguments: args,
      outcome: denied ? "denied" : result?.isError === true ? "failed" : "completed",
      response: denied ? (approval.reason ?? "Denied.") : result?.response,
      handedOutAt,
      returnedAt: Date.now(),
    });
  }
}

/** A call that the settings of the user deny, so that it reaches neither a person nor the tool. */
interface Denied {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason: string | undefined;
  readonly call: CallId | undefined;
}

/** Notifies plugins of a call that was denied as soon as the model made it. */
export function notifyOfDenial(runtime: RuntimeContext, { id, name, arguments: args, reason, call }: Denied): void {
  const about = { ...(call && { call }), toolCallId: id, toolName: name };
  const now = Date.now();
  runtime.notify({ type: "approval", ...about, decision: "rejected" });
  runtime.notify({
    type: "external_result",
    ...about,
    arguments: args,
    outcome: "denied",
    response: reason ?? "Denied.",
    handedOutAt: now,
    returnedAt: now,
  });
}
