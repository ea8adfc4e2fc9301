import { CoreError, type Final, type Invocation, type MiddlewareProtocol, type Settlement } from "@suite/core";
import type { Facts } from "../record/facts.js";
import type { ActKind } from "../record/record.js";
import { type ActDescription, acts } from "./acts.js";
import type { Recorder } from "./recorder.js";

type Process<K extends ActKind> = MiddlewareProtocol<Invocation<K>>["process"];
type End<K extends ActKind> = Settlement<Final<K>>;

const DONE = { status: "completed" } as const;
/** An answer of failure: nothing was thrown, and what it says is its content. */
const FAILED = { status: "failed" } as const;

/** The layer that records one kind of call: what is about to be done, then how it ended, once, however it ends. */
export function recordCalls<K extends ActKind>(kind: K, recorder: Recorder): Process<K> {
  return async function audit(invocation, callNext) {
    const begun = begin(acts[kind] as ActDescription<K>, recorder, invocation);
    const end = begun instanceof Promise ? await begun : begun;
    try {
      await callNext();
      // Without an answer the pipeline has a complaint of its own to make.
      const isError = invocation.result?.isError === true;
      if (invocation.result) invocation.pipe({ settle: isError ? (settlement) => end(settlement, isError) : end });
      else await end({ status: "failed", error: new CoreError("ERR_NO_ANSWER", "Nothing has answered.") });
    } catch (error) {
      await end(thrown(error, invocation.runtime.signal));
      throw error;
    }
  };
}

/** Records the outcome of a call; with `isError`, who answered said that the answer is one of failure. */
type Ended<K extends ActKind> = (settlement: End<K>, isError?: boolean) => Promise<void> | undefined;

/**
 * Records the intent; gives what records the outcome, as a promise only where the intent must be waited for. Throws, or
 * rejects, if the call must not be made: that is recorded too.
 */
function begin<K extends ActKind>(
  act: ActDescription<K>,
  recorder: Recorder,
  invocation: Invocation<K>,
): Ended<K> | Promise<Ended<K>> {
  const { runtime, request, call } = invocation;
  const run = recorder.runFacts(runtime);
  const details = act.details?.(request);
  const { type } = act;
  const operation = act.operation(invocation);
  const target = act.target(invocation);
  const end: Ended<K> = (settlement, isError) => {
    const { ended, content } = ending(act, settlement, isError);
    return recorder.outcome({ stage: "outcome", type, operation, target, call, details, ended, content }, run);
  };
  const refused = (error: unknown): never => {
    void end(thrown(error, runtime.signal));
    throw error;
  };
  try {
    const content = () => act.asked(request);
    const durable = recorder.intent(
      { stage: "intent", type, operation, target, call, details, ended: undefined, content },
      run,
    );
    return durable === undefined ? end : durable.then(() => end, refused);
  } catch (error) {
    return refused(error);
  }
}

function ending<K extends ActKind>(
  act: ActDescription<K>,
  settlement: End<K>,
  isError = false,
): Pick<Facts, "ended" | "content"> {
  if (settlement.status !== "completed") return { ended: settlement };
  // The final value is built only if a rule wants it.
  return { ended: isError ? FAILED : DONE, content: () => act.answered(settlement.final) };
}

const thrown = (error: unknown, signal: AbortSignal) =>
  signal.aborted && error === signal.reason
    ? ({ status: "cancelled", reason: error } as const)
    : ({ status: "failed", error } as const);
