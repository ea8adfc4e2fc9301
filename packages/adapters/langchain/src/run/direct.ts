import type { IterableReadableStream } from "@langchain/core/utils/stream";
import type { AgentCall } from "./call.js";
import { type End, watched } from "./watched.js";

type Stream = IterableReadableStream<unknown>;

/** `invoke` where no plugin has a hook that an agent serves: a run around LangChain's own. */
export async function invokeDirectly(call: AgentCall, ask: (given: unknown) => Promise<unknown>): Promise<unknown> {
  let end: End = {};
  try {
    const given = await call.givenDirectly;
    const state = await call.inside(() => ask(given));
    end = { completed: { state } };
    return state;
  } catch (error) {
    end = { error };
    throw error;
  } finally {
    await over(call, end);
  }
}

/** `stream` likewise: the very stream that LangChain gives. */
export async function streamDirectly(call: AgentCall, open: (given: unknown) => Promise<Stream>): Promise<Stream> {
  try {
    const given = await call.givenDirectly;
    return watched(await call.inside(() => open(given)), (end) => over(call, end));
  } catch (error) {
    await over(call, { error });
    throw error;
  }
}

/** `streamEvents` of version 2 likewise, which gives its stream at once. */
export function eventsDirectly(call: AgentCall, open: (given: unknown) => Stream): Stream {
  try {
    return watched(
      call.inside(() => open(call.input.given)),
      (end) => over(call, end),
    );
  } catch (error) {
    void over(call, { error });
    throw error;
  }
}

/** Ends the run as its agent ended, also where it waits. */
async function over(call: AgentCall, { completed, error }: End): Promise<void> {
  const stopped =
    completed === undefined ? call.interruptedBy(call.id, error) : await call.stopped(call.id, completed.state);
  await call.end(stopped !== undefined);
}
