import type { CallId } from "../contract/kinds.js";
import type { Awaitable } from "../contract/protocol.js";
import type { RuntimeContext } from "../contract/runtime.js";
import { signalOf } from "../contract/signal.js";

/** The members of a run that background work needs. */
interface BackgroundRun extends RuntimeContext {
  failed(error: unknown): void;
  fault(where: string, error: unknown): void;
  end(): Promise<void>;
}

/** The runs that were begun in the background. */
const background = new WeakSet<RuntimeContext>();

/** Returns the prefix that the ids of all calls of one run share. */
const runOf = ({ id }: CallId): string => id.slice(0, id.lastIndexOf("-"));

/**
 * Returns the signal of the parent call. Background work ignores the parent if that belongs to another run, since it
 * outlives it.
 */
export function signalAbove(call: CallId, runtime: RuntimeContext): AbortSignal | undefined {
  const { parent } = call;
  if (parent === undefined || (background.has(runtime) && runOf(parent) !== runOf(call))) return undefined;
  return signalOf(parent);
}

/**
 * Runs work in a new run that ends with it. Never rejects: an error is reported as a fault of that run, or of the
 * previous one.
 *
 * @param all the open work. This work is removed from it when it has ended.
 */
export function inBackground(
  before: BackgroundRun,
  begin: () => BackgroundRun,
  work: (runtime: RuntimeContext) => Awaitable<unknown>,
  all: Set<Promise<void>>,
): Promise<void> {
  const done = through(before, begin, work).then(() => void all.delete(done));
  all.add(done);
  return done;
}

async function through(
  before: BackgroundRun,
  begin: () => BackgroundRun,
  work: (runtime: RuntimeContext) => Awaitable<unknown>,
): Promise<void> {
  let run: BackgroundRun | undefined;
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
