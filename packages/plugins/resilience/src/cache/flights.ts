import { onAbort } from "@suite/core";
import type { KeptAnswer } from "./answers.js";

/** A request on its way to the model. */
export interface Flight {
  /** Ends it, for those who wait. @param answer undefined where there is none that others could be given. */
  end(answer: KeptAnswer | undefined): void;
}

/** The requests that this process is sending now, so that callers of the same one may wait for its answer. */
export class Flights {
  readonly #underWay = new Map<string, Promise<KeptAnswer | undefined>>();

  /** Notes a request that is sent. The signal ends it, where its attempt is given up. */
  begin(key: string, signal: AbortSignal): Flight {
    let resolve: (answer: KeptAnswer | undefined) => void = () => {};
    const answered = new Promise<KeptAnswer | undefined>((done) => {
      resolve = done;
    });
    this.#underWay.set(key, answered);
    const end = (answer: KeptAnswer | undefined): void => {
      off();
      if (this.#underWay.get(key) === answered) this.#underWay.delete(key);
      resolve(answer);
    };
    let off = (): void => {};
    off = onAbort(signal, () => end(undefined));
    return { end };
  }

  /**
   * The answer to the same request, where one is under way and comes in time. Rejects with the signal's reason.
   *
   * @param most milliseconds that are waited.
   */
  join(key: string, most: number, signal: AbortSignal): Promise<KeptAnswer | undefined> | undefined {
    const answered = this.#underWay.get(key);
    if (answered === undefined) return undefined;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(() => resolve(undefined)), most);
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        off();
        settle();
      };
      let off = (): void => {};
      off = onAbort(signal, () => end(() => reject(signal.reason)));
      void answered.then((answer) => end(() => resolve(answer)));
    });
  }
}
