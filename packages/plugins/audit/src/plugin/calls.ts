import { CoreError, type Final, type Invocation, type MiddlewareProtocol, type Settlement } from "@suite/core";
import type { Facts } from "../record/facts.js";
import { type ActDescription, type ActKind, acts } from "./acts.js";
import type { Recorder } from "./recorder.js";

type Process<K extends ActKind> = MiddlewareProtocol<Invocation<K>>["process"];
type End<K extends ActKind> = Settlement<Final<K>>;

/** The layer that records one kind of call: what is about to be done, then how it ended, once, however it ends. */
export function recordCalls<K extends ActKind>(kind: K, recorder: Recorder): Process<K> {
  return async function audit(invocation, callNext) {
    const end = await begin(acts[kind] as ActDescription<K>, recorder, invocation);
    try {
      await callNext();
      // Without an answer the pipeline has a complaint of its own to make.
      if (invocation.result) invocation.pipe({ settle: end });
      else await end({ status: "failed", error: new CoreError("ERR_NO_ANSWER", "Nothing has answered.") });
    } catch (error) {
      await end(thrown(error, invocation.runtime.signal));
      throw error;
    }
  };
}

/** Records the intent; gives what records the outcome. Rejects if the call must not be made: that is recorded too. */
async function begin<K extends ActKind>(act: ActDescription<K>, recorder: Recorder, invocation: Invocation<K>) {
  const { runtime, request, call } = invocation;
  const run = recorder.runFacts(runtime);
  const details = act.details?.(request);
  const facts = { type: act.type, operation: act.operation, target: act.target(invocation), call, details };
  const end = (settlement: End<K>): Promise<void> | undefined =>
    recorder.outcome({ ...facts, stage: "outcome", ...ending(act, settlement) }, run);
  try {
    await recorder.intent({ ...facts, stage: "intent", content: () => act.asked(request) }, run);
  } catch (error) {
    void end(thrown(error, runtime.signal));
    throw error;
  }
  return end;
}

function ending<K extends ActKind>(act: ActDescription<K>, settlement: End<K>): Pick<Facts, "ended" | "content"> {
  if (settlement.status !== "completed") return { ended: settlement };
  // The final value is built only if a rule wants it.
  return { ended: { status: "completed" }, content: () => act.answered(settlement.final) };
}

const thrown = (error: unknown, signal: AbortSignal) =>
  signal.aborted && error === signal.reason
    ? ({ status: "cancelled", reason: error } as const)
    : ({ status: "failed", error } as const);
