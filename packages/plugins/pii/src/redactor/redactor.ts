import type { Redactor } from "@suite/core";
import { PiiError } from "../errors.js";
import type { Match } from "../recognisers/recogniser.js";
import type { Rules } from "../rules/rule.js";
import type { HashKey } from "../strategies/hash-key.js";
import { Engine, type Treatment, throwing } from "./engine.js";
import { treatValue } from "./value.js";

/** A text in pieces: joined, what `push` and `end` give is `redact` of the text, however it was cut. */
export interface RedactorStream {
  /** What is decided by now. Throws `ERR_PII_BLOCKED` where a rule blocks; nothing comes after that. */
  push(chunk: string): string;
  /** The rest. */
  end(): string;
}

/** The engine without an agent. One instance may serve any number of texts at once. */
export interface PiiRedactor extends Redactor {
  /** What the rules find, sorted, without overlaps; offsets in UTF-16 units of the text as given. */
  detect(text: string): Match[];
  /** The text with every finding replaced. Throws `ERR_PII_BLOCKED` where a rule blocks. */
  redact(text: string): string;
  /**
   * Any JSON-like value, treated the same way: strings, object keys, and numbers that a rule matches. Shape and types
   * stay, cycles are safe, and what holds nothing to change is given back itself.
   */
  value(value: unknown): unknown;
  /** The same for a text in pieces. */
  stream(): RedactorStream;
}

export interface RedactorOptions {
  /** The key of the strategy `hash`, at least 16 bytes. Without it: a random one, for as long as the process lives. */
  readonly hashKey?: HashKey;
}

/**
 * Makes a redactor from rules.
 *
 * @example
 * ```ts
 * createRedactor({ email: "redact" }).redact("mail jane@x.com"); // "mail [REDACTED_EMAIL]"
 * ```
 */
export function createRedactor(rules: Rules, options: RedactorOptions = {}): PiiRedactor {
  return redactorOf(new Engine(rules, options.hashKey), throwing);
}

/** A redactor over compiled rules. */
export function redactorOf(engine: Engine, treatment: Treatment): PiiRedactor {
  const redact = (text: string): string => engine.redact(text, treatment);
  return {
    detect: (text) => engine.detect(text),
    redact,
    value: (value) => treatValue(value, redact),
    stream: () => {
      refuseUnstreamable(engine);
      return engine.stream(treatment);
    },
  };
}

/** Throws where a rule said that its recogniser does not work on streams. */
export function refuseUnstreamable(engine: Engine): void {
  if (engine.notStreamable.length === 0) return;
  throw new PiiError(
    "ERR_PII_NOT_STREAMABLE",
    `No stream with ${engine.notStreamable.join(", ")}: its function has no maxLength, and its rule says onStream: "refuse". Declare a maxLength, or "hold".`,
    { types: engine.notStreamable },
  );
}
