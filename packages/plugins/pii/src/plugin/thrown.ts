import type { Awaitable, CallNext, Invocation, Kind } from "@suite/core";
import type { At, Guard } from "./guard.js";
import type { RunTokens } from "./run-tokens.js";
import { treatWith } from "./treat.js";

/** Runs the inner layers, and treats the errors that they throw, at once or during a stream. */
export async function guardThrown<K extends Kind>(
  guard: Guard,
  context: Invocation<K>,
  callNext: CallNext,
  runTokens: RunTokens | undefined,
): Promise<void> {
  const { runtime, call } = context;
  const at = { place: "error", runtime, call } as const;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // In a box: anything can be thrown, also what cannot be awaited.
      throw (await treatThrown(guard, at, error, runTokens)).error;
    }
  };
  await guarded(callNext);
  if (context.result?.streaming) context.pipe({ around: guarded });
}

interface Thrown {
  readonly error: unknown;
}

/**
 * Returns the error itself if nothing was found, so that users' errors stay unchanged. An abort reason is never
 * changed.
 */
function treatThrown(guard: Guard, at: At, error: unknown, runTokens: RunTokens | undefined): Awaitable<Thrown> {
  const { signal } = at.runtime;
  if (signal.aborted && error === signal.reason) return { error };
  return guard.prepared(at, runTokens).run(
    (ready) =>
      ready.treat(at, error, (tally) => {
        const treated = treatWith(ready, tally, runTokens?.tokens.inside).value(error);
        return tally.empty ? error : treated;
      }),
    (treated) => ({ error: treated }),
  );
}
