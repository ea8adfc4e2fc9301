import type { Agent, AgentInput, AgentResult } from "@suite/agent";
import { onAbort } from "@suite/core";

/** Reads a stream to its end, or leaves it after so many deltas. */
export async function read(
  agent: Agent,
  input: AgentInput,
  options: object,
  breaks: boolean,
  reads: number,
): Promise<AgentResult> {
  const stream = agent.stream(input, options);
  let count = 0;
  for await (const _ of stream) if (breaks && count++ >= reads) break;
  return stream.result; // completed, where the run was over when its reader left
}

/** A few turns of the event loop, or until nobody waits any more. */
export const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, fail) => {
    const off = onAbort(signal, () => fail(signal.reason));
    setTimeout(() => {
      off();
      resolve();
    }, 1);
  });
