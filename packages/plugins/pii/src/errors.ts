import { CodedError } from "@suite/core";

/** The error codes of @suite/pii. Closed: a new code is a new minor version. */
export type PiiErrorCode =
  /** A rule that cannot be used: unknown type, unknown strategy, a missing recogniser, a wrong option. */
  | "ERR_PII_INVALID_RULE"
  /** A pattern that RE2 cannot express, or that matches the empty text. */
  | "ERR_PII_INVALID_PATTERN"
  /** Personal data was found under a rule whose strategy is `block`, or content that is no text where that blocks. */
  | "ERR_PII_BLOCKED"
  /** A recogniser or a strategy function failed, and the rules say that nothing may pass then. */
  | "ERR_PII_DETECTION_FAILED"
  /** A recogniser without a declared length was asked to work on a stream, and its rule refuses that. */
  | "ERR_PII_NOT_STREAMABLE"
  /** Something that cannot wait was called, and the recogniser of a rule has to be waited for. */
  | "ERR_PII_NEEDS_ASYNC"
  /** Something that treats texts was given no string. */
  | "ERR_PII_NOT_TEXT"
  /** `push` or `end` of a stream that has ended. */
  | "ERR_PII_STREAM_ENDED"
  /** A vault holds as many values as it may. */
  | "ERR_PII_VAULT_FULL"
  /** A vault could not be read or written: another key, a damaged file, no access. */
  | "ERR_PII_VAULT_FAILED"
  /**
   * A token of another session, or of another process's vault, is in a conversation. It stays. Told in a notification
   * only.
   */
  | "ERR_PII_TOKEN_UNKNOWN";

/** The place of something in a text, a value or a file. */
export interface PiiPlace {
  /** The name of a file, where the command read one. */
  readonly file?: string;
  /** The way to the field in a value, such as `messages[0].content`. */
  readonly path?: string;
  /** The line of the text, from 1. */
  readonly line: number;
  /** The column in that line, from 1, in UTF-16 units. */
  readonly column: number;
}

/** Details of an error: where something was found, and of which types. Never the values. */
export interface PiiErrorDetails {
  readonly types?: readonly string[];
  readonly places?: readonly string[];
  readonly at?: PiiPlace | undefined;
}

/** The one error class of @suite/pii. It names types, rules and places, and never carries a value. */
export class PiiError extends CodedError<PiiErrorCode> {
  static override readonly brand = Symbol.for("@suite/pii/error");
  override readonly name = "PiiError";
  readonly types: readonly string[];
  /** Places of a run: `input`, `output`. */
  readonly places: readonly string[];
  /** The place of a blocked value, outside of a run. Else there is no such property. */
  declare readonly at?: PiiPlace;

  constructor(code: PiiErrorCode, message: string, options: ErrorOptions & PiiErrorDetails = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.types = options.types ?? [];
    this.places = options.places ?? [];
    if (options.at !== undefined) this.at = options.at;
  }
}

/** Expects a text: throws for what is no string. `value()` takes everything. */
export function expectText(text: unknown, name: string): string {
  if (typeof text === "string") return text;
  const given = text === null ? "null" : typeof text;
  throw new PiiError(
    "ERR_PII_NOT_TEXT",
    `${name} takes a string, and was given ${given}. For anything else there is value() of a redactor.`,
  );
}

/** The error of the `block` strategy. */
export function blocked(types: readonly string[], places: readonly string[] = [], at?: PiiPlace): PiiError {
  const named = [...places, ...(at?.file === undefined ? [] : [at.file]), ...(at?.path === undefined ? [] : [at.path])];
  if (at !== undefined) named.push(`line ${at.line}, column ${at.column}`);
  const where = named.length > 0 ? ` in ${named.join(", ")}` : "";
  return new PiiError(
    "ERR_PII_BLOCKED",
    `Blocked: ${types.join(", ")} found${where}. The value is not repeated here. Take it out, or choose another strategy than "block".`,
    { types, places, at },
  );
}
