import { onAbort } from "@suite/core";
import type { KeptAnswer } from "./answers.js";

/** One question on its way to the model. Its end is told once. */
export interface Flight {
  /** @param answer undefined where there is none that others could be given. */
  land(answer: KeptAnswer | undefined): void;
}

/** Questions that this process is asking now, so that who asks the same may wait for the answer. */
export class Flights {
  readonly #underWay = new Map<string, Promise<KeptAnswer | undefined>>();

  /** Begins a flight. One that nobody waits for any more lands by the signal. */
  begin(key: string, signal: AbortSignal): Flight {
    let resolve: (answer: KeptAnswer | undefined) => void = () => {};
    const landing = new Promise<KeptAnswer | undefined>((done) => {
      resolve = done;
    });
    this.#underWay.set(key, landing);
    const land = (answer: KeptAnswer | undefined): void => {
      off();
      if (this.#underWay.get(key) === landing) this.#underWay.delete(key);
      resolve(answer);
    };
    let off = (): void => {};
    off = onAbort(signal, () => land(undefined));
    return { land };
  }

  /**
   * The answer to the same question, where one is under way and comes in time. Rejects with the signal's reason.
   *
   * @param most milliseconds that are waited.
   */
  join(key: string, most: number, signal: AbortSignal): Promise<KeptAnswer | undefined> | undefined {
    const landing = this.#underWay.get(key);
    if (landing === undefined) return undefined;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(() => resolve(undefined)), most);
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        off();
        settle();
      };
      let off = (): void => {};
      off = onAbort(signal, () => end(() => reject(signal.reason)));
      void landing.then((answer) => end(() => resolve(answer)));
    });
  }
}
