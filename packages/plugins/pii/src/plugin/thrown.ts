import type { Awaitable, CallNext, Invocation, Kind } from "@suite/core";
import { Tally } from "../redact/tally.js";
import { answered } from "./answered.js";
import type { At, Guard } from "./guard.js";
import type { RunTokens } from "./run-tokens.js";
import { treatWith } from "./treat.js";

/** Guards what is thrown: runs the inner layers, and treats what they throw: at once, or in the middle of a stream. */
export async function guardThrown<K extends Kind>(
  guard: Guard,
  context: Invocation<K>,
  callNext: CallNext,
  own: RunTokens | undefined,
): Promise<void> {
  const { runtime, call } = context;
  const at = { place: "error", runtime, call } as const;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // In a box: anything can be thrown, also what cannot be awaited.
      throw (await treatThrown(guard, at, error, own)).error;
    }
  };
  await guarded(callNext);
  if (context.result?.streaming) context.pipe({ around: guarded });
}

interface Thrown {
  readonly error: unknown;
}

/** Itself where nothing was found: errors of users stay what they are. The reason of an abort always does. */
function treatThrown(guard: Guard, at: At, error: unknown, own: RunTokens | undefined): Awaitable<Thrown> {
  const { signal } = at.runtime;
  if (signal.aborted && error === signal.reason) return { error };
  const treat = (by: Guard, tally: Tally): unknown => {
    const treated = treatWith(by, tally, own?.tokens.inside).value(error);
    return tally.empty ? error : treated;
  };
  return answered(
    guard,
    at,
    own,
    (by) => treat(by, new Tally()),
    (by) => ({ error: by.treat(at, error, (tally) => treat(by, tally)) }),
  );
}
