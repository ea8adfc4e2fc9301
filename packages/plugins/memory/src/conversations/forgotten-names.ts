import type { StateStore } from "@suite/core";
import { toHex } from "@suite/kit";
import { contended, mostWrites } from "./user-sessions.js";

/** The time that a deletion is remembered, in milliseconds: longer than a run takes or waits. */
const week = 7 * 24 * 60 * 60 * 1000;

/** A conversation or a user: kind and name. */
export type Named = readonly [kind: "session" | "user", name: string];

/**
 * Keeps the times at which conversations and users were forgotten, so that a run that was running then does not store
 * them again. They are in the store, for all processes, under a digest of the name.
 */
export class ForgottenNames {
  readonly #store: StateStore;
  readonly #prefix: string;

  constructor(store: StateStore, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** @param at the time, in milliseconds since the epoch */
  async add(named: Named, at: number): Promise<void> {
    const key = await this.#keyOf(named);
    for (let attempt = 0; attempt < mostWrites; attempt++) {
      const version = (await this.#store.get(key))?.version;
      if (await this.#store.compareAndSet(key, version, at, { ttl: week })) return;
    }
    throw contended("note that something was forgotten");
  }

  /** Returns `true` if one of the names was forgotten after this time. */
  async since(time: number, names: readonly Named[]): Promise<boolean> {
    const found = await Promise.all(names.map(async (named) => this.#store.get(await this.#keyOf(named))));
    return found.some((stored) => typeof stored?.value === "number" && stored.value > time);
  }

  async #keyOf(named: Named): Promise<string> {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(named)));
    return `${this.#prefix}:${toHex(digest)}`;
  }
}
