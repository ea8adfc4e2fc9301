import type { CallId } from "../contract/kinds.js";
import type { Awaitable } from "../contract/protocol.js";
import type { RuntimeContext } from "../contract/runtime.js";
import { signalOf } from "../contract/signal.js";

/** A run as far as background work needs it. */
interface OwnRun extends RuntimeContext {
  failed(error: unknown): void;
  fault(where: string, error: unknown): void;
  end(): Promise<void>;
}

/** The runs that were begun in the background. */
const background = new WeakSet<RuntimeContext>();

/** The part of a call's id that all calls of one run have. */
const runOf = ({ id }: CallId): string => id.slice(0, id.lastIndexOf("-"));

/** The signal by which a call ends with the one above it. Background work has outlived the call of another run that it hangs below. */
export function signalAbove(call: CallId, runtime: RuntimeContext): AbortSignal | undefined {
  const { parent } = call;
  if (parent === undefined || (background.has(runtime) && runOf(parent) !== runOf(call))) return undefined;
  return signalOf(parent);
}

/**
 * Does work in a run that is begun for it and ends with it. Never rejects: what fails is a fault of that run, or else of the
 * one before.
 *
 * @param all the work that is open, of which it is a part until it is over.
 */
export function inBackground(
  before: OwnRun,
  begin: () => OwnRun,
  work: (runtime: RuntimeContext) => Awaitable<unknown>,
  all: Set<Promise<void>>,
): Promise<void> {
  const done = through(before, begin, work).then(() => void all.delete(done));
  all.add(done);
  return done;
}

async function through(
  before: OwnRun,
  begin: () => OwnRun,
  work: (runtime: RuntimeContext) => Awaitable<unknown>,
): Promise<void> {
  let run: OwnRun | undefined;
  try {
    run = begin();
    background.add(run);
    await work(run);
  } catch (error) {
    run?.failed(error);
    (run ?? before).fault("background", error);
  }
  await run?.end();
}
