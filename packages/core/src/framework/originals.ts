/** The most values that are kept, and the most characters in them. The oldest are removed first. */
const limits = { values: 1000, characters: 8_000_000 };

/** The beginning of ids: an id may stand where a provider has its signature. */
const prefix = "suite:";

/** Returns true for an id of an original, also one that is not kept any more. */
export const isOriginalId = (signature: string): boolean => signature.startsWith(prefix);

/**
 * Originals of signed reasoning that a plugin removed from an answer, by id. A provider refuses a request in which its signed
 * reasoning is missing or changed: the reader receives the id, and the provider receives the original for it.
 */
export class Originals<T> {
  readonly #kept = new Map<string, { readonly original: T; readonly size: number }>();
  #characters = 0;

  /**
   * Keeps an original.
   *
   * @returns its id. It cannot be guessed.
   */
  keep(original: T): string {
    const id = `${prefix}${crypto.randomUUID()}`;
    const size = JSON.stringify(original).length;
    this.#kept.set(id, { original, size });
    this.#characters += size;
    for (const [oldest, { size: removed }] of this.#kept) {
      if (this.#kept.size <= limits.values && this.#characters <= limits.characters) break;
      this.#kept.delete(oldest);
      this.#characters -= removed;
    }
    return id;
  }

  /** Returns the original for an id, or `undefined` if it is not kept any more. */
  get(id: string): T | undefined {
    return this.#kept.get(id)?.original;
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
