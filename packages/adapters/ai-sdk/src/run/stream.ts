import type { Delta, Outcome, Reply } from "@suite/core";
import type { Turn } from "../turn/turn.js";
import type { UserPart } from "./agent-parts.js";
import { watchReaders } from "./readers.js";
import { Relay } from "./relay.js";

/** A streamed turn, begun. */
export interface StreamedTurn {
  readonly transform: Relay["transform"];
  /** Watches the readers of the framework's result, and gives it back. */
  watch<R extends object>(result: R): R;
  /** Ends a turn that the framework could not even begin. */
  abandon(error: unknown): Promise<void>;
}

/**
 * Begins a streamed turn: the framework runs, and its model and its steps wait until the agent layers have entered.
 *
 * @param again runs the framework anew, for a layer that asks again; gives all that a user would see.
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
