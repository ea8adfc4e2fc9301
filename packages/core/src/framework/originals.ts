/** The maximum number of values, and of characters in all of them. The oldest are removed first. */
const limits = { values: 1000, characters: 8_000_000 };

/** The prefix of ids. An id replaces a provider's signature. */
const prefix = "suite:";

/** True for the id of an original, even if it was removed. */
export const isOriginalId = (signature: string): boolean => signature.startsWith(prefix);

/**
 * Stores the originals of signed reasoning that a plugin removed or changed, by id. A provider rejects a request in
 * which its signed reasoning is missing or changed. The reader receives the id, and the provider receives the original.
 */
export class Originals<T> {
  readonly #stored = new Map<string, { readonly original: T; readonly size: number }>();
  #characters = 0;

  /** The number of stored originals. */
  get size(): number {
    return this.#stored.size;
  }

  /**
   * Stores an original, unless it exceeds the limit of characters for all.
   *
   * @param id the signature that stays in the answer. Default: a new id that cannot be guessed.
   * @returns the id.
   */
  keep(original: T, id = `${prefix}${crypto.randomUUID()}`): string {
    const size = id.length + JSON.stringify(original).length;
    if (size > limits.characters) return id;
    this.#remove(id);
    this.#stored.set(id, { original, size });
    this.#characters += size;
    for (const oldest of this.#stored.keys()) {
      if (this.#stored.size <= limits.values && this.#characters <= limits.characters) break;
      this.#remove(oldest);
    }
    return id;
  }

  /** Returns the original of an id, or `undefined` if it was removed. */
  get(id: string): T | undefined {
    return this.#stored.get(id)?.original;
  }

  #remove(id: string): void {
    this.#characters -= this.#stored.get(id)?.size ?? 0;
    this.#stored.delete(id);
  }
}

/** Provider names, grouped by the models whose signatures they accept. */
const families: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["anthropic", /anthropic|claude|bedrock/i],
  ["google", /google|vertex|gemini/i],
  ["openai", /openai|azure/i],
];

const familyOf = (name: string): string =>
  families.find(([, pattern]) => pattern.test(name))?.[0] ?? (name.split(".", 1)[0] as string);

/** True if two provider names mean the same vendor of models. It accepts its signatures on every platform. */
export const isSameProvider = (one: string, other: string): boolean => familyOf(one) === familyOf(other);
