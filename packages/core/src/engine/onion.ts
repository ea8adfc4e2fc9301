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
 * Which calls are watched: the first hundred, then one in sixteen. A missing `await` is in the code, not in the data,
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

/**
 * Folds layers into one function, first outermost, once. Undefined where there is none: call the core directly.
 *
 * @param inward gives each layer the context of the next one in; the same object where nothing is handed on by value.
 * @param asksAgain is told of a layer that calls `callNext` again.
 */
export function fold<C>(
  layers: readonly Middleware<C>[],
  inward: (context: C) => C,
  asksAgain?: (context: C) => void,
): Onion<C> | undefined {
  let onion: Onion<C> | undefined;
  for (const layer of [...layers].reverse()) {
    const process = typeof layer === "function" ? layer : layer.process.bind(layer);
    const next: Onion<C> = onion ?? ((context, core) => core(context));
    onion = (context, core, watch) => {
      let last: Promise<void> | undefined;
      const enter = (): Promise<void> => {
        const running = next(inward(context), core, watch);
        if (watch !== undefined) {
          watch.open++;
          running.then(watch.leave, watch.leave);
        }
        return running;
      };
      const running = process(context, () => {
        last = last === undefined ? enter() : again(last, enter, () => asksAgain?.(context));
        return last;
      });
      return running ?? done;
    };
  }
  return onion;
}

/** A reaction added to a settled promise runs before this function goes on; one added to a running one does not. */
async function again(last: Promise<void>, enter: () => Promise<void>, tell: () => void): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  last.then(end, end);
  await undefined;
  if (!over) {
    throw new CoreError(
      "ERR_CALL_NEXT_CONCURRENT",
      "callNext() was called again while it was running. Await the first call.",
    );
  }
  tell();
  return enter();
}

/** The complaint about a layer that went on without its inner layers. */
export const notAwaited = (where: string): CoreError =>
  new CoreError(
    "ERR_CALL_NEXT_NOT_AWAITED",
    `A layer of ${where} returned before its callNext() had ended. Await callNext().`,
  );
