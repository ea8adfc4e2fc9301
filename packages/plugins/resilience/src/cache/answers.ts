import type { Awaitable, Message, Reply, StateStore } from "@suite/core";
import { isObject } from "@suite/core/options";

/** An answer as it is kept: the message, and what it had cost. */
export interface KeptAnswer {
  /** Milliseconds since the epoch: when it was given. */
  readonly at: number;
  readonly message: Message;
  readonly finishReason?: Reply["finishReason"];
  /** The tokens that were used for it, once. */
  readonly usage?: Reply["usage"];
  /** The model that gave it. */
  readonly model?: string;
}

/** The place where answers are kept, by key. */
export interface Answers {
  get(key: string): Awaitable<KeptAnswer | undefined>;
  /** Keeps an answer; one that is there already stays. */
  put(key: string, answer: KeptAnswer): Awaitable<void>;
}

/** Answers in a store that is common to many processes. Its bounds are its own. */
export class StoredAnswers implements Answers {
  readonly #store: StateStore;
  readonly #ttl: number;

  constructor(store: StateStore, ttl: number) {
    this.#store = store;
    this.#ttl = ttl;
  }

  async get(key: string): Promise<KeptAnswer | undefined> {
    return read((await this.#store.get(key))?.value);
  }

  async put(key: string, answer: KeptAnswer): Promise<void> {
    await this.#store.compareAndSet(key, undefined, { v: 1, ...answer }, { ttl: this.#ttl });
  }
}

/** An answer as the store gives it; undefined for what another version, or somebody else, has written. */
function read(value: unknown): KeptAnswer | undefined {
  if (!isObject(value) || value.v !== 1 || typeof value.at !== "number" || !isObject(value.message)) return undefined;
  const { v: _, ...answer } = value;
  return Array.isArray(value.message.parts) ? (answer as unknown as KeptAnswer) : undefined;
}

/** The bounds of answers in memory. */
export interface MemoryBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly ttl: number;
}

interface Entry {
  /** JSON text, so that nobody changes a kept answer from outside, and its size is known. */
  readonly json: string;
  readonly bytes: number;
  readonly until: number;
}

/** Answers in this process's memory. Where a bound is reached, those go that were not asked for for the longest time. */
export class MemoryAnswers implements Answers {
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #bounds: MemoryBounds;
  #bytes = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  get(key: string): KeptAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until <= Date.now()) {
      this.#remove(key, entry);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return JSON.parse(entry.json) as KeptAnswer;
  }

  put(key: string, answer: KeptAnswer): void {
    const { maxEntries, maxBytes, ttl } = this.#bounds;
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > Date.now()) return;
    if (known !== undefined) this.#remove(key, known);
    const json = JSON.stringify(answer);
    const bytes = 2 * (json.length + key.length); // JavaScript's own: UTF-16
    if (bytes > maxBytes) return;
    this.#entries.set(key, { json, bytes, until: Date.now() + ttl });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) break;
      this.#remove(oldest, entry);
    }
  }

  #remove(key: string, { bytes }: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= bytes;
  }
}
