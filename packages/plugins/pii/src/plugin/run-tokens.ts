import { type CallId, type Message, type RuntimeContext, stateKey } from "@suite/core";
import { PiiError } from "../errors.js";
import { Prepared } from "../redact/async/prepared.js";
import type { TokenRules } from "../redact/engine.js";
import { tokensInLinks } from "../tokens/restore-stream.js";
import { SessionTokens, type TokenView } from "../tokens/session-tokens.js";
import type { TokenReader } from "../tokens/token-reader.js";
import { tokensOf } from "../tokens/tokens-of.js";
import type { AsyncVault, TokenId, Vault, VaultScope } from "../tokens/vault.js";
import { Erasures } from "./erasures.js";
import type { Restore } from "./options.js";

/** A token that shows if a cached result is still valid. */
export type Witness = TokenId | undefined;

/**
 * The vaults in use in a run. The output of an inner run contains their tokens, and is restored only when it leaves the
 * outermost run.
 */
const vaultsKey = stateKey<Set<object>>("pii.vaults", () => new Set());

/** The tokens of one run that a plugin uses. */
export class RunTokens {
  readonly tokens: SessionTokens;
  /** True if no outer run uses the same vault: input comes from outside, and output is the final answer. */
  readonly outermost: boolean;
  /** True if a layer around the whole run restores values, so that the history keeps the model's tokens. */
  layered = false;
  /** The answer is JSON. */
  json = false;
  /** True if the run will resume later. */
  suspended = false;
  readonly #async: boolean;
  readonly #session: string | undefined;
  /** Returns true if the user was erased since the run began. */
  readonly #erased: () => boolean;
  readonly #erasures: Erasures;
  /** The session and the user for the vault. */
  readonly #scope: VaultScope;
  readonly #restore: Restore;
  readonly #reader: TokenReader;
  readonly #report: (error: PiiError) => void;
  #reported = false;

  constructor(
    runtime: RuntimeContext,
    vault: Vault | AsyncVault,
    { form, reader }: TokenRules,
    restore: Restore,
    name: string,
    erasures: Erasures,
  ) {
    const owner = outermostWith(vault, runtime);
    this.outermost = owner === runtime;
    this.#session = owner.sessionId === "" ? undefined : owner.sessionId;
    const [session, user] = [this.#session, owner.userId ?? ""];
    const erased = erasures.since(user);
    this.#erased = erased;
    this.#erasures = erasures;
    this.#scope = {
      user,
      // Later runs of an erased user may use the session again. This run must not write into it any more.
      get session() {
        return session === undefined || erased() ? `run:${owner.runId}` : session;
      },
    };
    this.#async = vault.async === true;
    this.#restore = restore;
    this.#reader = reader;
    this.#report = (error) => runtime.notify({ type: "fault", where: `the tokens of ${name}`, error });
    this.tokens = new SessionTokens(tokensOf(vault, this.#scope), form, this.#unknown);
  }

  /** Identifies the context of cached results, which may differ for the same message. */
  get view(): string {
    const { session, user } = this.#scope;
    return `${this.outermost} ${this.layered} ${JSON.stringify([session, user])}`;
  }

  /** True while requests for an async vault are collected. */
  get collects(): boolean {
    return this.tokens.tokens.collects;
  }

  /** True if values are restored in text here. */
  get restoresText(): boolean {
    return this.outermost && this.#restore.output !== false;
  }

  /**
   * Returns true if the answer of this model call leaves the run. A summary does not leave, but becomes part of the
   * history, in which its tokens could no longer be recognized.
   */
  leavesWith({ parent }: CallId): boolean {
    return this.outermost && (!this.layered || parent?.kind === "compressContext");
  }

  /** Returns true if values may be restored for the tool of this name. */
  readonly mayRestoreFor = (tool: string): boolean => this.#restore.tools?.includes(tool) === true;

  /**
   * Returns the tokens for a message. Look-alikes in a user's message get a token themselves. An earlier answer keeps
   * its tokens, unless its values were restored: then only tokens in links belong to this plugin.
   */
  viewOf({ role, parts }: Message): TokenView {
    const { inside, outside } = this.tokens;
    if (!this.outermost || (role !== "user" && role !== "assistant")) return inside;
    if (role === "user") return outside;
    if (!this.restoresText || this.layered) return inside;
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.content] : []));
    const inLinks = tokensInLinks(texts, this.#reader);
    return { ...inside, lookAlike: (text) => (inLinks.has(text) ? inside : outside).lookAlike(text) };
  }

  /** A token that cannot be restored stays, which leaks nothing. Reported once. */
  readonly find = (id: TokenId): string | undefined => {
    try {
      const value = this.tokens.tokens.value(id);
      if (value === undefined) this.#unknown();
      return value;
    } catch (error) {
      this.#fault(() => error as PiiError);
      return undefined;
    }
  };

  /** Returns a subject whose steps need tokens or values of this session's vault. */
  prepared<S>(subject: S): Prepared<S> {
    return this.after(new Prepared(subject), subject);
  }

  /** Adds an async vault as the last source of a subject. @param collector Collects what the vault is needed for. */
  after<S>(prepared: Prepared<S>, collector: S): Prepared<S> {
    if (!this.#async) return prepared;
    return prepared.after(collector, (collect) => {
      const request = this.tokens.tokens.prepare(collect);
      if (request !== undefined) this.#erasures.wait(this.#scope.user, request);
      return request;
    });
  }

  get witness(): Witness {
    return this.tokens.last;
  }

  forgetWitness(): void {
    this.tokens.last = undefined;
  }

  /** Returns true if a token has a value. An asynchronous vault returns an empty string while it collects requests. */
  knows(id: TokenId): boolean {
    if (!this.tokens.tokens.value(id)) return false;
    this.tokens.last = id;
    return true;
  }

  /** Erases the values of a run that are of no use when it is over, and those written after its user was erased. */
  end(): void | PromiseLike<void> {
    const isOver = !this.suspended && this.#session === undefined;
    if (this.outermost && (isOver || this.#erased())) return this.tokens.tokens.erase();
  }

  readonly #unknown = (): void => this.#fault(unknown);

  #fault(error: () => PiiError): void {
    if (this.#reported || this.collects) return;
    this.#reported = true;
    this.#report(error());
  }
}

/** The runs of one plugin. */
export class TokenRuns {
  readonly rules: TokenRules;
  readonly #key = stateKey<{ tokens?: RunTokens }>("pii.tokens", () => ({}));
  readonly #make: (runtime: RuntimeContext) => RunTokens;
  /** Whether there are tools that may see values. */
  readonly namesTools: boolean;

  readonly #vault: Vault | AsyncVault;
  readonly #erasures = new Erasures();

  constructor(vault: Vault | AsyncVault, rules: TokenRules, restore: Restore, name: string) {
    this.rules = rules;
    this.#vault = vault;
    this.namesTools = (restore.tools ?? []).length > 0;
    this.#make = (runtime) => new RunTokens(runtime, vault, rules, restore, name, this.#erasures);
  }

  /**
   * Forgets the values of a user. Runs of the user that have begun in this process erase values that they write
   * afterwards when they end.
   *
   * @throws PiiError `ERR_PII_VAULT_FAILED` if the vault cannot forget a user.
   */
  async forgetUser(user: string): Promise<number> {
    await this.#erasures.add(user);
    const count = await this.#vault.forgetUser?.(user);
    if (count !== undefined) return count;
    const advice = "Add the method forgetUser, or erase the user's sessions one by one.";
    throw new PiiError("ERR_PII_VAULT_FAILED", `The vault cannot forget a user. ${advice}`);
  }

  of(runtime: RuntimeContext): RunTokens {
    const held = runtime.get(this.#key);
    held.tokens ??= this.#make(runtime);
    return held.tokens;
  }
}

const unknown = (): PiiError =>
  new PiiError(
    "ERR_PII_TOKEN_UNKNOWN",
    "Some tokens are unknown to this session's vault and stay unchanged. Set a sessionId for the conversation, and use one vault in all its processes.",
  );

function outermostWith(vault: object, runtime: RuntimeContext): RuntimeContext {
  runtime.get(vaultsKey).add(vault);
  let owner = runtime;
  for (let at = runtime.parent; at !== undefined; at = at.parent) if (at.get(vaultsKey).has(vault)) owner = at;
  return owner;
}
