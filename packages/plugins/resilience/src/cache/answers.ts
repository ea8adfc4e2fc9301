import type { Awaitable, Message, Reply, StateStore } from "@suite/core";
import { isObject } from "@suite/kit";

/** A stored answer: the message and its original usage. */
export interface StoredAnswer {
  /** The time of the answer, in milliseconds since the epoch. */
  readonly at: number;
  readonly message: Message;
  readonly finishReason?: Reply["finishReason"];
  /** The tokens that the original request used. */
  readonly usage?: Reply["usage"];
  /** The model that answered. */
  readonly model?: string;
}

/** Keeps answers by key. */
export interface Answers {
  get(key: string): Awaitable<StoredAnswer | undefined>;
  /** Stores an answer. An existing answer is not replaced. */
  put(key: string, answer: StoredAnswer): Awaitable<void>;
}

/** Keeps answers in a shared store, which has its own size limits. */
export class StoredAnswers implements Answers {
  readonly #store: StateStore;
  readonly #ttl: number;

  constructor(store: StateStore, ttl: number) {
    this.#store = store;
    this.#ttl = ttl;
  }

  async get(key: string): Promise<StoredAnswer | undefined> {
    return read((await this.#store.get(key))?.value);
  }

  async put(key: string, answer: StoredAnswer): Promise<void> {
    await this.#store.compareAndSet(key, undefined, { v: 1, ...answer }, { ttl: this.#ttl });
  }
}

/** Parses a stored answer. Returns `undefined` if another version or another program wrote it. */
function read(value: unknown): StoredAnswer | undefined {
  if (!isObject(value) || value.v !== 1 || typeof value.at !== "number" || !isObject(value.message)) return undefined;
  const { v: _, ...answer } = value;
  return Array.isArray(value.message.parts) ? (answer as unknown as StoredAnswer) : undefined;
}

/** The size limits of answers in memory. */
export interface MemoryBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly ttl: number;
}

interface Entry {
  /** JSON, so that a stored answer cannot be changed by reference and its size is known. */
  readonly json: string;
  readonly bytes: number;
  readonly until: number;
}

/** Keeps answers in this process's memory. When a limit is reached, the least recently used answers are removed. */
export class MemoryAnswers implements Answers {
  /** The entries, least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #bounds: MemoryBounds;
  #bytes = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  get(key: string): StoredAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until <= Date.now()) {
      this.#remove(key, entry);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return JSON.parse(entry.json) as StoredAnswer;
  }

  put(key: string, answer: StoredAnswer): void {
    const { maxEntries, maxBytes, ttl } = this.#bounds;
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > Date.now()) return;
    if (known !== undefined) this.#remove(key, known);
    const json = JSON.stringify(answer);
    const bytes = 2 * (json.length + key.length); // JavaScript strings are UTF-16
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
