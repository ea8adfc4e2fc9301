import type { CallId, RuntimeContext } from "@suite/core";
import { isRecord } from "../framework.js";
import { type Ticket, ticketIn, verify } from "../messages/ticket.js";
import type { Waited } from "./history.js";

/** A suspended run that goes on. */
export interface Resumed {
  readonly runId: string;
  readonly durable: Readonly<Record<string, unknown>>;
  /** The time when each call was handed out, in milliseconds since the epoch, by id. */
  readonly handedOut: ReadonlyMap<string, number>;
}

/** The run that these calls wait in, as their tickets tell; undefined where they have none that is good. */
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
 * Tells plugins of decisions and results that came while the run waited.
 *
 * @param admits returns true if a call of this tool is admitted before it runs: whether an approval counts is reported then.
 */
export function tellWhatCame(
  waited: readonly Waited[],
  resumed: Resumed | undefined,
  runtime: RuntimeContext,
  call: CallId,
  admits: (tool: string) => boolean,
): void {
  for (const { id, name, arguments: args, approval, result } of waited) {
    const about = { call, toolCallId: id, toolName: name };
    // The result of a denied call comes from the framework, which was notified of the denial in an earlier turn.
    if (approval?.approved === false && result !== undefined) continue;
    if (approval !== undefined && !(approval.approved && admits(name))) {
      runtime.notify({ type: "approval", ...about, decision: approval.approved ? "approved" : "rejected" });
    }
    const denied = approval?.approved === false;
    // Of what has no ticket it is not known whether it was told before.
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

/** A call that the settings of the user deny, so that neither a person nor the tool gets it. */
interface Denied {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason: string | undefined;
  readonly call: CallId | undefined;
}

/** Notifies plugins of a call that was denied as soon as the model made it. */
export function tellDenied(runtime: RuntimeContext, { id, name, arguments: args, reason, call }: Denied): void {
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
