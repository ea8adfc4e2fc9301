import type { Invocation } from "../contract/call.js";

/** The attempts at one model call, and what the framework gave for each. Of several, the last that was not given up counts. */
export class Attempts<T> {
  readonly #all: { readonly invocation: Invocation<"model">; readonly given: T }[] = [];

  add(invocation: Invocation<"model">, given: T): void {
    this.#all.push({ invocation, given });
  }

  /** The attempt that counts; undefined where none has begun. */
  get taken(): T | undefined {
    const all = this.#all;
    if (all.length < 2) return all[0]?.given;
    return (all.findLast(({ invocation }) => !invocation.signal.aborted) ?? all.at(-1))?.given;
  }
}
