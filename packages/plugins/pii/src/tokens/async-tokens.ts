import { checked, failure } from "./answers.js";
import type { Labelled, Tokens } from "./tokens.js";
import type { AsyncVault, TokenId, VaultScope } from "./vault.js";

/** The result of a vault operation, or its error. */
type Answer<T> = { readonly value: T } | { readonly error: unknown };

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
  #requests: Map<string, () => Promise<void>> | undefined;

  constructor(vault: AsyncVault, scope: VaultScope) {
    this.#vault = vault;
    this.#scope = scope;
  }

  get collects(): boolean {
    return this.#requests !== undefined;
  }

  id(of: Labelled): TokenId {
    const key = `${of.label} ${of.value}`;
    const known = this.#ids.get(key);
    if (this.#requests === undefined) return opened(known ?? notLookedFor);
    if (known !== undefined && "value" in known) return known.value;
    this.#requests.set(`id ${key}`, () => this.#requestId(key, of));
    return { label: of.label, ...someId };
  }

  value(id: TokenId, otherwise?: Labelled): string | undefined {
    const key = `${id.label}_${id.number}_${id.tag}`;
    const known = this.#values.get(key);
    if (known !== undefined && "value" in known) return known.value;
    if (this.#requests === undefined) return known && opened(known);
    this.#requests.set(`value ${key}`, async () => {
      const { session, user } = this.#scope;
      const answer = await answerOf(() => this.#vault.value(session, id, user));
      this.#values.set(key, answer);
      if (otherwise === undefined || !("value" in answer) || answer.value !== undefined) return;
      await this.#requestId(`${otherwise.label} ${otherwise.value}`, otherwise);
    });
    return someValue;
  }

  prepare(collect: () => void): Promise<void> | undefined {
    const requests = new Map<string, () => Promise<void>>();
    this.#requests = requests;
    try {
      collect();
    } finally {
      this.#requests = undefined;
    }
    if (requests.size === 0) return undefined;
    return Promise.all(Array.from(requests.values(), (request) => request())).then(() => {});
  }

  erase(): PromiseLike<void> {
    this.#ids.clear();
    this.#values.clear();
    return this.#vault.erase(this.#scope.session, this.#scope.user);
  }

  async #requestId(key: string, { label, value }: Labelled): Promise<void> {
    const { session, user } = this.#scope;
    const answer = await answerOf(async () => checked(await this.#vault.id(session, label, value, user), label));
    this.#ids.set(key, answer);
    if (!("value" in answer)) return;
    const { number, tag } = answer.value;
    this.#values.set(`${label}_${number}_${tag}`, { value });
  }
}

const notLookedFor: Answer<never> = { error: new Error("A value was requested that was not collected before.") };

async function answerOf<T>(request: () => PromiseLike<T>): Promise<Answer<T>> {
  try {
    return { value: await request() };
  } catch (error) {
    return { error };
  }
}

function opened<T>(answer: Answer<T>): T {
  if ("value" in answer) return answer.value;
  throw failure(answer.error);
}
