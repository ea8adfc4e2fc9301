import type { Delta, Outcome, Reply } from "@suite/core";
import type { Turn } from "../turn/turn.js";
import type { UserPart } from "./agent-parts.js";
import { watchReaders } from "./readers.js";
import { Relay } from "./relay.js";

/** A streamed turn that has started. */
export interface StreamedTurn {
  readonly transform: Relay["transform"];
  /** Watches the readers of the framework's result. Returns the result. */
  watch<R extends object>(result: R): R;
  /** Ends a turn if the framework failed to start. */
  abandon(error: unknown): Promise<void>;
}

/**
 * Starts a streamed turn. The framework runs, but its model and its steps wait until the agent layers have called it.
 *
 * @param again runs the framework again if a layer repeats its call. Returns the stream of all parts that a user can
 * see.
 */
export function streamTurn(turn: Turn, again: () => Promise<ReadableStream<UserPart>>): StreamedTurn {
  let attempts = 0;
  const relay = new Relay(turn);
  const outcome: Promise<Outcome<Delta, Reply>> = turn.enter(async (invocation) => {
    attempts++;
    invocation.respond({ stream: relay.source(attempts === 1 ? undefined : await again()) });
  });
  relay.follow(outcome);
  outcome.then(
    (answer) => answer.settled.then(() => turn.run.end()),
    () => {},
  );
  return {
    transform: relay.transform,
    watch(result) {
      watchReaders(result, { stopped: () => void relay.cancel() });
      return result;
    },
    abandon: (error) => relay.cancel(error),
  };
}
