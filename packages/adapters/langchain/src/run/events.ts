import type { Delta, Invocation } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { explodeReply } from "@suite/core/messages";
import type { Interrupt } from "../human/question.js";
import type { AgentCall } from "./call.js";
import { unwrapped } from "./errors.js";
import { replyOfState } from "./reply.js";

/** The run stream of `streamEvents`, version 3: several views of one run instead of a stream of chunks. */
interface RunStream extends AsyncIterable<unknown> {
  readonly output: Promise<unknown>;
  readonly interrupts: readonly { readonly interruptId?: string; readonly payload?: unknown }[];
  readonly signal: AbortSignal;
}

/**
 * Implements `streamEvents` of version 3. Its views come from LangGraph: the `agent` layers see the begin, the answer
 * and the end of the run, but their changes to the answer are not in the views.
 */
export async function events(call: AgentCall, open: (input: unknown) => Promise<unknown>): Promise<unknown> {
  let opened: RunStream | undefined;
  try {
    const outcome = await call.through(async (invocation) => {
      // The type of the result is only known from the version.
      const stream = (await open(await call.finalInput(invocation))) as RunStream;
      opened = stream;
      // A failure also rejects `output`, which the consumer may not read.
      stream.output.catch(() => {});
      stream.signal.addEventListener("abort", () => void call.run.end(stream.signal.reason), { once: true });
      invocation.respond({ stream: answerOf(call, invocation, stream) });
    });
    void outcome
      .final()
      .catch(() => {}) // the views report it to the consumer
      .then(() => outcome.settled)
      .then(({ status }) => call.end(status === "suspended"));
    return opened;
  } catch (error) {
    await call.end(false);
    throw error;
  }
}

async function* answerOf(
  call: AgentCall,
  invocation: Invocation<"agent">,
  stream: RunStream,
): AsyncGenerator<Delta, Suspended | undefined> {
  let state: unknown;
  try {
    state = await stream.output;
  } catch (error) {
    const waits = call.interruptedBy(invocation.call, error);
    if (waits === undefined) throw unwrapped(error);
    return waits;
  }
  const interrupts = stream.interrupts.map(
    ({ interruptId, payload }): Interrupt => ({ id: interruptId ?? "", value: payload }),
  );
  const stop = call.waits(invocation.call, interrupts);
  if (stop !== undefined) return { suspended: "pending" in stop ? stop.pending : [] };
  yield* explodeReply(replyOfState(state, call.run));
  return undefined;
}
