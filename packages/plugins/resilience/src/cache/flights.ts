import { onAbort } from "@suite/core";
import type { StoredAnswer } from "./answers.js";

/** A request that was sent to the model and has no answer yet. */
export interface Flight {
  /**
   * Ends the request for the callers that wait for it.
   * @param answer `undefined` if there is no answer that others may use
   */
  end(answer: StoredAnswer | undefined): void;
}

/** The requests that this process is sending now. Callers of the same request can wait for its answer. */
export class Flights {
  readonly #underWay = new Map<string, Promise<StoredAnswer | undefined>>();

  /** Registers a request that is sent. It ends when the signal is aborted. */
  begin(key: string, signal: AbortSignal): Flight {
    let resolve: (answer: StoredAnswer | undefined) => void = () => {};
    const answered = new Promise<StoredAnswer | undefined>((done) => {
      resolve = done;
    });
    this.#underWay.set(key, answered);
    const end = (answer: StoredAnswer | undefined): void => {
      off();
      if (this.#underWay.get(key) === answered) this.#underWay.delete(key);
      resolve(answer);
    };
    let off = (): void => {};
    off = onAbort(signal, () => end(undefined));
    return { end };
  }

  /**
   * Waits for the answer to the same request. Returns `undefined` if none is pending; resolves to `undefined` on
   * time-out. Rejects with the signal's reason.
   *
   * @param most the maximum wait in milliseconds
   */
  join(key: string, most: number, signal: AbortSignal): Promise<StoredAnswer | undefined> | undefined {
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
