import { type Reply, textOf } from "@suite/core";
import type { AnyResult } from "../framework.js";
import { noState } from "./no-state.js";
import { answersIn, applyReply, createResult, replyOf } from "./reply.js";
import type { Turn } from "./turn.js";

/** Runs without streaming. Returns the SDK's result with the reply after the layers. */
export async function runWithoutStreaming(turn: Turn): Promise<AnyResult> {
  const before = answersIn(turn.runCall.input);
  let result: AnyResult | undefined;
  let reply: Reply | undefined;
  try {
    const outcome = await turn.through(async (invocation) => {
      reply = undefined;
      result = (await turn.enter(invocation)) as AnyResult;
      const waits = turn.waits(result.state, invocation.call);
      if (waits !== undefined) return invocation.respond(waits);
      reply = replyOf(result.state, before);
      invocation.respond({ value: reply });
    });
    await outcome.final().catch(() => {}); // reported by the settlement
    const settlement = await outcome.settled;
    if (settlement.status === "failed") throw settlement.error;
    if (settlement.status === "cancelled") throw settlement.reason;
    if (settlement.status === "suspended") {
      if (result === undefined) throw noState(turn.runCall.agent.name);
      return result;
    }
    const { final } = settlement;
    if (result === undefined || reply === undefined) return createResult(turn, final);
    if (final !== reply) applyReply(result.state, textOf(reply.message), textOf(final.message));
    return result;
  } finally {
    await turn.finish();
  }
}
