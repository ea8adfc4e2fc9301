import { type Reply, redactorOf } from "@suite/core";
import { reasonOf, settlementOf } from "@suite/core/framework";
import { messageOf } from "../model/reply.js";
import type { AgentCall } from "./call.js";
import { replyOfState, withReply } from "./reply.js";

/** Implements `invoke`: returns the final state of the agent with the reply after the layers. */
export async function invoke(call: AgentCall, invokeAgent: (input: unknown) => Promise<unknown>): Promise<unknown> {
  let state: unknown;
  let reply: Reply | undefined;
  let interrupt: { readonly error: unknown } | undefined;
  let suspended = false;
  try {
    const outcome = await call.through(async (invocation) => {
      let input = await call.finalInput(invocation);
      for (;;) {
        try {
          state = await invokeAgent(input);
        } catch (error) {
          const waits = call.interruptedBy(invocation.call, error);
          if (waits === undefined) throw error;
          interrupt = { error };
          return invocation.respond(waits);
        }
        const stop = await call.stopped(invocation.call, state);
        if (stop === undefined) break;
        if ("pending" in stop) return invocation.respond({ suspended: stop.pending });
        input = stop.command;
      }
      reply = replyOfState(state, call.run);
      invocation.respond({ value: reply });
    });
    const settlement = await settlementOf(outcome);
    if (settlement.status === "failed" || settlement.status === "cancelled") throw reasonOf(settlement);
    suspended = settlement.status === "suspended";
    if (interrupt !== undefined && suspended) throw interrupt.error;
    if (settlement.status === "suspended") return state;
    if (reply === undefined) return call.input.answered(messageOf(settlement.final));
    return await call.revealed(withReply(state, reply, settlement.final, redactorOf(call.run)));
  } finally {
    await call.end(suspended);
  }
}
