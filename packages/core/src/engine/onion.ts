import type { Middleware } from "../contract/protocol.js";
import { CoreError } from "../errors.js";

/** The innermost call. */
export type Core<C> = (context: C) => Promise<void>;

/** A list of layers, folded into one function. */
export type Onion<C> = (context: C, core: Core<C>, watch?: Watch) => Promise<void>;

/** Counts entered layers that have not ended, to detect a missing `await callNext()`. */
export class Watch {
  open = 0;
  readonly leave = (): void => {
    this.open--;
  };
}

const always = 100;
const every = 16;

/**
 * Selects the calls to watch: the first hundred, then one in sixteen. A missing `await` is in the code and not in the
 * data, so it shows early. Watching every call would cost a fifth of the call.
 */
export class Watches {
  #calls = 0;
  next(): Watch | undefined {
    const call = this.#calls++;
    return call < always || call % every === 0 ? new Watch() : undefined;
  }
}

const done = Promise.resolve();

/** Callbacks of a fold. */
export interface Hearing<C> {
  /** Called when a layer calls `callNext` again. */
  onRepeat?(context: C): void;
  /** Returns true if the layer has given up its inner call and need not await it. */
  mayGoOn?(context: C): boolean;
}

/**
 * Folds layers into one function, first layer outermost. Returns `undefined` for an empty list: call the core directly.
 *
 * @param inward returns the context of the next inner layer: the same object if nothing is passed by value.
 */
export function fold<C>(
  layers: readonly Middleware<C>[],
  inward: (context: C) => C,
  { onRepeat, mayGoOn }: Hearing<C> = {},
): Onion<C> | undefined {
  let onion: Onion<C> | undefined;
  for (const layer of [...layers].reverse()) {
    const process = typeof layer === "function" ? layer : layer.process.bind(layer);
    const next: Onion<C> = onion ?? ((context, core) => core(context));
    onion = (context, core, watch) => {
      let last: Promise<void> | undefined;
      /** The layer's promise. `undefined` while `process` has not returned one, so the layer cannot have ended. */
      let running: Promise<void> | undefined;
      const callNext = (): Promise<void> => {
        if (last === undefined && running === undefined) last = next(inward(context), core, watch);
        else {
          const runInner = (): Promise<void> => next(inward(context), core, watch);
          if (last !== undefined && mayGoOn?.(context) !== true) {
            last = again(last, running, runInner, () => onRepeat?.(context));
          } else {
            if (last !== undefined) onRepeat?.(context);
            last = running === undefined ? runInner() : runInnerAfter(running, runInner);
          }
        }
        if (watch !== undefined) {
          watch.open++;
          last.then(watch.leave, watch.leave);
        }
        return last;
      };
      try {
        running = process(context, callNext) ?? done;
      } catch (error) {
        running = done;
        throw error;
      }
      return running;
    };
  }
  return onion;
}

/**
 * Returns true if a promise has settled. A reaction to a settled promise runs before this function continues, one to a
 * pending promise does not.
 */
async function isOver(work: Promise<void>): Promise<boolean> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  await undefined;
  return over;
}

async function runInnerAfter(layer: Promise<void>, runInner: () => Promise<void>): Promise<void> {
  if (await isOver(layer)) throw tooLate();
  return runInner();
}

async function again(
  last: Promise<void>,
  layer: Promise<void> | undefined,
  runInner: () => Promise<void>,
  notify: () => void,
): Promise<void> {
  if (!(await isOver(last))) {
    throw new CoreError(
      "ERR_CALL_NEXT_CONCURRENT",
      "callNext() was called again while it was running. Await the first call.",
    );
  }
  if (layer !== undefined && (await isOver(layer))) throw tooLate();
  notify();
  return runInner();
}

/** Creates the error for a `callNext` that comes too late: the call already has its answer or error. */
export const tooLate = (): CoreError =>
  new CoreError(
    "ERR_CALL_NEXT_NOT_AWAITED",
    "callNext() was called after its layer had returned. Nothing was run. Call it, and await it, before the layer returns.",
  );

/** Creates the error for a layer that did not wait for its inner layers. */
export const notAwaited = (kind: string): CoreError =>
  new CoreError(
    "ERR_CALL_NEXT_NOT_AWAITED",
    `A plugin of ${kind} returned before its callNext() had ended. Await callNext().`,
  );
