import type { CallId } from "@suite/core";
import type { AnyResult, AnyState, AnyStreamed } from "../framework.js";
import { currentRun } from "../sdk/current-run.js";
import { standIn } from "../sdk/stand-in.js";
import { endOf } from "../sdk/termination.js";
import { type Fed, StreamedResult } from "./feed.js";
import type { Turn } from "./turn.js";

/** Runs the SDK without layers and returns the SDK's result. */
export function direct(turn: Turn): Promise<AnyResult | AnyStreamed> {
  const call = turn.identify();
  const ending = new Ending(turn, call);
  const streams = turn.runCall.options.stream === true;
  if (streams) {
    reachEnds();
    endings.set(call, ending);
  }
  const failed = (error: unknown): never => {
    throw endOf(turn.run, error);
  };
  return turn.direct(call).then(
    (result) => {
      if (streams) turn.follow(result as Fed);
      const ended = streams ? undefined : ending.done(result.state);
      return ended?.then(() => result) ?? result;
    },
    (error: unknown) => ending.failed(error)?.then(() => failed(error)) ?? failed(error),
  );
}

/** The end of a run without layers. The run ends before the caller receives the result. */
class Ending {
  #over = false;
  #ended: Promise<void> | undefined;

  constructor(
    readonly turn: Turn,
    readonly call: CallId,
  ) {}

  /** Returns a promise only if there is something to wait for. */
  done(state: AnyState): Promise<void> | undefined {
    if (!this.#over) this.turn.waits(state, this.call);
    return this.#end();
  }

  failed(error: unknown): Promise<void> | undefined {
    if (!this.#over) this.turn.run.failed(error);
    return this.#end();
  }

  #end(): Promise<void> | undefined {
    if (!this.#over) this.#ended = this.turn.finish();
    this.#over = true;
    return this.#ended;
  }
}

const endings = new WeakMap<CallId, Ending>();

/** Returns the ending of the run that contains the calling code. */
function endingHere(): Ending | undefined {
  const call = currentRun()?.call;
  return call && endings.get(call);
}

/** Patches streamed results, so that the run ends before the SDK settles them. */
function reachEnds(): void {
  const { prototype } = StreamedResult;
  standIn(
    prototype,
    "_done",
    (original: Fed["_done"]) =>
      function (this: Fed) {
        const ended = endingHere()?.done(this.state);
        if (ended === undefined) original.call(this);
        else void ended.then(() => original.call(this));
      },
  );
  standIn(
    prototype,
    "_raiseError",
    (original: Fed["_raiseError"]) =>
      function (this: Fed, error: unknown, options?: object) {
        const ending = endingHere();
        const ended = ending?.failed(error);
        const finalError = ending === undefined ? error : endOf(ending.turn.run, error);
        if (ended === undefined) original.call(this, finalError, options);
        else void ended.then(() => original.call(this, finalError, options));
      },
  );
}
