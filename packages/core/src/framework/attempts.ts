import type { Invocation } from "../contract/call.js";

/** Attempts at one model call, each with the framework's value. The last attempt that was not given up counts. */
export class Attempts<T> {
  readonly #all: { readonly invocation: Invocation<"model">; readonly given: T }[] = [];

  add(invocation: Invocation<"model">, value: T): void {
    this.#all.push({ invocation, given: value });
  }

  /** The value of the attempt that counts, or `undefined` if none has begun. */
  get taken(): T | undefined {
    const all = this.#all;
    if (all.length < 2) return all[0]?.given;
    return (all.findLast(({ invocation }) => !invocation.signal.aborted) ?? all.at(-1))?.given;
  }
}
