import type { Middleware } from "../contract/protocol.js";
import { CoreError } from "../errors.js";

/** The innermost call. */
export type Core<C> = (context: C) => Promise<void>;

/** A list of layers as one function. */
export type Onion<C> = (context: C, core: Core<C>, watch?: Watch) => Promise<void>;

/** Counts the layers that were entered and have not ended, to find a missing `await callNext()`. */
export class Watch {
  open = 0;
  readonly leave = (): void => {
    this.open--;
  };
}

const always = 100;
const every = 16;

/**
 * The choice of calls that are watched: the first hundred, then one in sixteen. A missing `await` is in the code, not in the data,
 * so that it shows early; a reaction per layer of every call would cost a fifth of the call.
 */
export class Watches {
  #calls = 0;
  next(): Watch | undefined {
    const call = this.#calls++;
    return call < always || call % every === 0 ? new Watch() : undefined;
  }
}

const done = Promise.resolve();

/** Listeners of a fold: what it tells of layers, and asks about them. */
export interface Hearing<C> {
  /** Is told of a layer that calls `callNext` again. */
  asksAgain?(context: C): void;
  /** Whether the layer has given up what its `callNext` began, and need not await it. */
  mayGoOn?(context: C): boolean;
}

/**
 * Folds layers into one function, first outermost, once. Undefined where there is none: call the core directly.
 *
 * @param inward gives each layer the context of the next one in; the same object where nothing is handed on by value.
 */
export function fold<C>(
  layers: readonly Middleware<C>[],
  inward: (context: C) => C,
  { asksAgain, mayGoOn }: Hearing<C> = {},
): Onion<C> | undefined {
  let onion: Onion<C> | undefined;
  for (const layer of [...layers].reverse()) {
    const process = typeof layer === "function" ? layer : layer.process.bind(layer);
    const next: Onion<C> = onion ?? ((context, core) => core(context));
    onion = (context, core, watch) => {
      let last: Promise<void> | undefined;
      /** The promise of the layer; undefined as long as it has not given it: then it cannot have returned. */
      let running: Promise<void> | undefined;
      const callNext = (): Promise<void> => {
        if (last === undefined && running === undefined) last = next(inward(context), core, watch);
        else {
          const enter = (): Promise<void> => next(inward(context), core, watch);
          if (last !== undefined && mayGoOn?.(context) !== true) {
            last = again(last, running, enter, () => asksAgain?.(context));
          } else {
            if (last !== undefined) asksAgain?.(context);
            last = running === undefined ? enter() : enterAfter(running, enter);
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

/** A reaction added to a settled promise runs before this function goes on; one added to a running one does not. */
async function isOver(work: Promise<void>): Promise<boolean> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  await undefined;
  return over;
}

async function enterAfter(layer: Promise<void>, enter: () => Promise<void>): Promise<void> {
  if (await isOver(layer)) throw tooLate();
  return enter();
}

async function again(
  last: Promise<void>,
  layer: Promise<void> | undefined,
  enter: () => Promise<void>,
  tell: () => void,
): Promise<void> {
  if (!(await isOver(last))) {
    throw new CoreError(
      "ERR_CALL_NEXT_CONCURRENT",
      "callNext() was called again while it was running. Await the first call.",
    );
  }
  if (layer !== undefined && (await isOver(layer))) throw tooLate();
  tell();
  return enter();
}

/** The error of a `callNext` that comes too late: the call has its answer, or its error. */
export const tooLate = (): CoreError =>
  new CoreError(
    "ERR_CALL_NEXT_NOT_AWAITED",
    "callNext() was called after its layer had returned. Nothing was run. Call it, and await it, before the layer returns.",
  );

/** The complaint about a layer that went on without its inner layers. */
export const notAwaited = (where: string): CoreError =>
  new CoreError(
    "ERR_CALL_NEXT_NOT_AWAITED",
    `A layer of ${where} returned before its callNext() had ended. Await callNext().`,
  );
