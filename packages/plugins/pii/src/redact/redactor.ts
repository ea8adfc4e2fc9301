import type { Redactor } from "@suite/core";
import { expectText, PiiError } from "../errors.js";
import { checkNames } from "../rules/option-names.js";
import type { Rules } from "../rules/rule.js";
import type { HashKey } from "../rules/strategies/hash-key.js";
import type { Match } from "../scan/recogniser.js";
import { memoryVault } from "../tokens/memory-vault.js";
import { RestoreStream, restoreText } from "../tokens/restore-stream.js";
import { SessionTokens } from "../tokens/session-tokens.js";
import { tokensOf } from "../tokens/tokens-of.js";
import type { TokenId, Vault } from "../tokens/vault.js";
import { type AsyncRedactor, asyncRedactorOf } from "./async/redactor.js";
import { Engine, type Treatment, throwing } from "./engine.js";
import { treatValue } from "./value.js";

/**
 * The stream that redacts text in chunks. The joined results of `push` and `end` equal `redact` of the whole text,
 * however it was split.
 */
export interface RedactorStream {
  /**
   * Returns the text that is decided so far. Throws `ERR_PII_BLOCKED` if a rule blocks; the stream then returns no more
   * text.
   */
  push(chunk: string): string;
  /** The rest. */
  end(): string;
}

/**
 * A redactor is the engine without an agent. One instance may treat any number of texts at once. With a rule whose
 * recogniser is async, `detect`, `redact`, `value` and `stream` throw `ERR_PII_NEEDS_ASYNC`.
 */
export interface PiiRedactor extends Redactor, AsyncRedactor {
  /** The findings of the rules, sorted, without overlaps; offsets in UTF-16 units of the text as given. */
  detect(text: string): Match[];
  /** Returns the text with every finding replaced. Throws `ERR_PII_BLOCKED` if a rule blocks. */
  redact(text: string): string;
  /**
   * Returns any JSON-like value with its strings, object keys and matching numbers treated the same way. Shape and
   * types are kept, cycles are supported, and a part without changes is returned itself.
   */
  value(value: unknown): unknown;
  /** Creates a stream that redacts text in chunks. */
  stream(): RedactorStream;
}

/** The options of `createRedactor`. */
export interface RedactorOptions {
  /** The key of the strategy `hash`, at least 16 bytes. Without it: a random one, for as long as the process lives. */
  readonly hashKey?: HashKey;
  /** The vault of the values of `tokenize`. Without it: in memory, for as long as the redactor lives. */
  readonly vault?: Vault;
  /** The session of the values. Used if there is a vault. */
  readonly session?: string;
  /** The user whose values they are: the `userId` of the runs. Default: values of runs without a user. */
  readonly user?: string;
}

const redactorOptions: readonly (keyof RedactorOptions)[] = ["hashKey", "vault", "session", "user"];

/** A redactor that can restore the values that it removed with `tokenize`. */
export interface RestoringRedactor extends PiiRedactor {
  /**
   * The text with the values of this session's tokens, in any case and however quoted, with or without their brackets.
   * Tokens inside URLs, targets of Markdown links, and HTML attributes stay.
   */
  restore(text: string): string;
  /**
   * Creates a stream that restores text in chunks. The joined results equal `restore` of the whole text, however it was
   * split.
   */
  restoreStream(): RedactorStream;
}

/**
 * Makes a redactor from rules.
 *
 * @throws {PiiError} `ERR_PII_INVALID_RULE`, `ERR_PII_INVALID_PATTERN`
 * @example
 * ```ts
 * createRedactor({ email: "redact" }).redact("mail jane@x.com"); // "mail [REDACTED_EMAIL]"
 * ```
 */
export function createRedactor(rules: Rules, options: RedactorOptions = {}): RestoringRedactor {
  options = checkNames("createRedactor", options, redactorOptions);
  const engine = Engine.of(rules, options.hashKey);
  if (engine.tokens === undefined) {
    const restore = (text: string): string => expectText(text, "restore()");
    const same: RedactorStream = { push: restore, end: () => "" };
    return { ...redactorOf(engine, throwing), restore, restoreStream: () => same };
  }
  const { form, reader } = engine.tokens;
  const tokens = tokensOf(vaultOf(options), { session: options.session ?? "redactor", user: options.user ?? "" });
  const find = (id: TokenId): string | undefined => tokens.value(id);
  return {
    ...redactorOf(engine, { ...throwing, tokens: new SessionTokens(tokens, form).outside }),
    restore: (text) => restoreText(expectText(text, "restore()"), reader, find),
    restoreStream: () => new RestoreStream(reader, find),
  };
}

function vaultOf({ vault, session }: RedactorOptions): Vault {
  if (vault === undefined) return memoryVault();
  if ((vault as { readonly async?: boolean }).async === true) {
    throw new PiiError("ERR_PII_INVALID_RULE", "A redactor cannot wait for its vault. Use a synchronous vault.");
  }
  if (session === undefined || session === "") {
    throw new PiiError("ERR_PII_INVALID_RULE", "A redactor with a vault needs the option session.");
  }
  return vault;
}

/** A redactor over compiled rules. */
export function redactorOf(engine: Engine, treatment: Treatment): PiiRedactor {
  const refuse = (): void => refuseUnstreamable(engine);
  const redact = (text: string): string => engine.redact(text, treatment);
  return {
    detect: (text) => engine.detect(text),
    redact,
    value: (value) => treatValue(value, (text, before) => engine.redact(text, treatment, before)),
    stream: () => {
      refuse();
      return engine.stream(treatment);
    },
    ...asyncRedactorOf(engine, treatment, refuse),
  };
}

/** Throws if the recogniser of a rule does not work on streams. */
export function refuseUnstreamable(engine: Engine): void {
  if (engine.notStreamable.length === 0) return;
  throw new PiiError(
    "ERR_PII_NOT_STREAMABLE",
    `No stream with ${engine.notStreamable.join(", ")}: its function has no maxLength, and its rule has onStream: "refuse". Set maxLength, or onStream: "hold".`,
    { types: engine.notStreamable },
  );
}
