import type { IterableReadableStream } from "@langchain/core/utils/stream";
import type { AgentCall } from "./call.js";
import { type End, watched } from "./watched.js";

type Stream = IterableReadableStream<unknown>;

/** Implements `invoke` if no plugin has an agent hook: a run around LangChain's call. */
export async function invokeDirectly(
  call: AgentCall,
  invokeAgent: (input: unknown) => Promise<unknown>,
): Promise<unknown> {
  let end: End = {};
  try {
    const input = await call.directInput;
    const state = await call.inside(() => invokeAgent(input));
    end = { completed: { state } };
    return state;
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    await over(call, end);
  }
}

/** Implements `stream` in the same way. Returns LangChain's stream. */
export async function streamDirectly(call: AgentCall, open: (input: unknown) => Promise<Stream>): Promise<Stream> {
  try {
    const input = await call.directInput;
    return watched(await call.inside(() => open(input)), (end) => over(call, end));
  } catch (error) {
    await over(call, { error });
    throw error;
  }
}

/** Implements `streamEvents` of version 2 in the same way. It returns its stream synchronously. */
export function eventsDirectly(call: AgentCall, open: (input: unknown) => Stream): Stream {
  try {
    return watched(
      call.inside(() => open(call.input.original)),
      (end) => over(call, end),
    );
  } catch (error) {
    void over(call, { error });
    throw error;
  }
}

/** Ends the run with the result of its agent, including a suspension. */
async function over(call: AgentCall, { completed, error }: End): Promise<void> {
  const stopped =
    completed === undefined ? call.interruptedBy(call.id, error) : await call.stopped(call.id, completed.state);
  await call.end(stopped !== undefined);
}
