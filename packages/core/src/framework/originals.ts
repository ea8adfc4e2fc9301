/** The most values that are kept, and the most characters in them. The oldest are removed first. */
const limits = { values: 1000, characters: 8_000_000 };

/** The beginning of ids: an id may stand where a provider has its signature. */
const prefix = "suite:";

/** Returns true for an id of an original, also one that is not kept any more. */
export const isOriginalId = (signature: string): boolean => signature.startsWith(prefix);

/**
 * Originals of signed reasoning that a plugin removed from an answer, or changed, by id. A provider refuses a request in which its
 * signed reasoning is missing or changed: the reader receives the id, and the provider receives the original for it.
 */
export class Originals<T> {
  readonly #kept = new Map<string, { readonly original: T; readonly size: number }>();
  #characters = 0;

  /** The number of originals that are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * Keeps an original. One that is longer than all originals together may be is not kept.
   *
   * @param id the signature that stays in the answer. Without one, an id is made that cannot be guessed.
   * @returns the id.
   */
  keep(original: T, id = `${prefix}${crypto.randomUUID()}`): string {
    const size = id.length + JSON.stringify(original).length;
    if (size > limits.characters) return id;
    this.#remove(id);
    this.#kept.set(id, { original, size });
    this.#characters += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= limits.values && this.#characters <= limits.characters) break;
      this.#remove(oldest);
    }
    return id;
  }

  /** Returns the original for an id, or `undefined` if it is not kept any more. */
  get(id: string): T | undefined {
    return this.#kept.get(id)?.original;
  }

  #remove(id: string): void {
    this.#characters -= this.#kept.get(id)?.size ?? 0;
    this.#kept.delete(id);
  }
}

/** Names of providers that accept the signatures of the same models. */
const families: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["anthropic", /anthropic|claude|bedrock/i],
  ["google", /google|vertex|gemini/i],
  ["openai", /openai|azure/i],
];

const familyOf = (name: string): string =>
  families.find(([, pattern]) => pattern.test(name))?.[0] ?? (name.split(".", 1)[0] as string);

/** Returns true if two names of providers mean the same writer of models, which accepts its signatures wherever it is served. */
export const isSameProvider = (one: string, other: string): boolean => familyOf(one) === familyOf(other);
