import { checked, failure } from "./answers.js";
import type { Labelled, Tokens } from "./tokens.js";
import type { AsyncVault, TokenId, VaultScope } from "./vault.js";

/** The result of a vault operation, or its error. */
type Answer<T> = { readonly is: T } | { readonly error: unknown };

/** Placeholders for a token and a value while requests are collected. */
const someId = { number: 1, tag: "bcdfghjk" };
const someValue = "";

/** The tokens of an asynchronous vault. Caches its answers during one run, so that later code can be synchronous. */
export class AsyncTokens implements Tokens {
  readonly #vault: AsyncVault;
  readonly #scope: VaultScope;
  readonly #ids = new Map<string, Answer<TokenId>>();
  readonly #values = new Map<string, Answer<string | undefined>>();
  /** The vault operations that are being collected. */
  #wanted: Map<string, () => Promise<void>> | undefined;

  constructor(vault: AsyncVault, scope: VaultScope) {
    this.#vault = vault;
    this.#scope = scope;
  }

  get collects(): boolean {
    return this.#wanted !== undefined;
  }

  id(of: Labelled): TokenId {
    const key = `${of.label} ${of.value}`;
    const known = this.#ids.get(key);
    if (this.#wanted === undefined) return opened(known ?? notLookedFor);
    if (known !== undefined && "is" in known) return known.is;
    this.#wanted.set(`id ${key}`, () => this.#askId(key, of));
    return { label: of.label, ...someId };
  }

  value(id: TokenId, otherwise?: Labelled): string | undefined {
    const key = `${id.label}_${id.number}_${id.tag}`;
    const known = this.#values.get(key);
    if (known !== undefined && "is" in known) return known.is;
    if (this.#wanted === undefined) return known && opened(known);
    this.#wanted.set(`value ${key}`, async () => {
      const { session, user } = this.#scope;
      const answer = await answered(() => this.#vault.value(session, id, user));
      this.#values.set(key, answer);
      if (otherwise === undefined || !("is" in answer) || answer.is !== undefined) return;
      await this.#askId(`${otherwise.label} ${otherwise.value}`, otherwise);
    });
    return someValue;
  }

  prepare(collect: () => void): Promise<void> | undefined {
    const wanted = new Map<string, () => Promise<void>>();
    this.#wanted = wanted;
    try {
      collect();
    } finally {
      this.#wanted = undefined;
    }
    if (wanted.size === 0) return undefined;
    return Promise.all(Array.from(wanted.values(), (ask) => ask())).then(() => {});
  }

  erase(): PromiseLike<void> {
    this.#ids.clear();
    this.#values.clear();
    return this.#vault.erase(this.#scope.session, this.#scope.user);
  }

  async #askId(key: string, { label, value }: Labelled): Promise<void> {
    const { session, user } = this.#scope;
    const answer = await answered(async () => checked(await this.#vault.id(session, label, value, user), label));
    this.#ids.set(key, answer);
    if (!("is" in answer)) return;
    const { number, tag } = answer.is;
    this.#values.set(`${label}_${number}_${tag}`, { is: value });
  }
}

const notLookedFor: Answer<never> = { error: new Error("A value was requested that was not collected before.") };

async function answered<T>(ask: () => PromiseLike<T>): Promise<Answer<T>> {
  try {
    return { is: await ask() };
  } catch (error) {
    return { error };
  }
}

function opened<T>(answer: Answer<T>): T {
  if ("is" in answer) return answer.is;
  throw failure(answer.error);
}
