import { type Reply, textOf } from "@suite/core";
import type { AnyResult } from "../framework.js";
import { noState } from "./no-state.js";
import { answersIn, applyReply, madeResult, replyOf } from "./reply.js";
import type { Turn } from "./turn.js";

/** Runs without streaming. Returns the SDK's result with the reply after the layers. */
export async function plain(turn: Turn): Promise<AnyResult> {
  const before = answersIn(turn.asked.input);
  let result: AnyResult | undefined;
  let said: Reply | undefined;
  try {
    const outcome = await turn.through(async (invocation) => {
      said = undefined;
      result = (await turn.enter(invocation)) as AnyResult;
      const waits = turn.waits(result.state, invocation.call);
      if (waits !== undefined) return invocation.respond(waits);
      said = replyOf(result.state, before);
      invocation.respond({ value: said });
    });
    await outcome.final().catch(() => {}); // reported by the settlement
    const settlement = await outcome.settled;
    if (settlement.status === "failed") throw settlement.error;
    if (settlement.status === "cancelled") throw settlement.reason;
    if (settlement.status === "suspended") {
      if (result === undefined) throw noState(turn.asked.agent.name);
      return result;
    }
    const { final } = settlement;
    if (result === undefined || said === undefined) return madeResult(turn, final);
    if (final !== said) applyReply(result.state, textOf(said.message), textOf(final.message));
    return result;
  } finally {
    await turn.finish();
  }
}
