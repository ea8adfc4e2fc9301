type Aborted = { readonly reason: unknown } | undefined;

/** An abort signal that is made for whoever asks for it, and listeners who need none. */
export class LazySignal {
  #controller: AbortController | undefined;
  #listeners: Set<(reason: unknown) => void> | undefined;

  /** @param before the abort that there has been already. */
  signal(before: Aborted): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (before !== undefined) this.#controller.abort(before.reason);
    }
    return this.#controller.signal;
  }

  /** Adds a listener, which must not throw, and gives back what takes it off again. */
  listen(listener: (reason: unknown) => void, before: Aborted): () => void {
    if (before !== undefined) {
      listener(before.reason);
      return () => {};
    }
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  abort(reason: unknown): void {
    this.#controller?.abort(reason);
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener(reason);
  }
}
