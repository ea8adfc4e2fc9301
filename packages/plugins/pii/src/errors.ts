import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/pii. Closed: a new code is a new minor version. */
export type PiiErrorCode =
  /** A rule is invalid: unknown type or strategy, missing recogniser, or wrong option. */
  | "ERR_PII_INVALID_RULE"
  /** A pattern is not supported by RE2, or matches the empty string. */
  | "ERR_PII_INVALID_PATTERN"
  /** A rule with strategy `block` found personal data, or `onUnscannable: "block"` met content that is not text. */
  | "ERR_PII_BLOCKED"
  /** A recogniser or strategy function failed, and the rules do not let unchecked content pass. */
  | "ERR_PII_DETECTION_FAILED"
  /** A recogniser without a maximum length was used on a stream, and its rule has `onStream: "refuse"`. */
  | "ERR_PII_NOT_STREAMABLE"
  /** A synchronous function was called, but a rule has an asynchronous recogniser. */
  | "ERR_PII_NEEDS_ASYNC"
  /** A function that expects a string received another value. */
  | "ERR_PII_NOT_TEXT"
  /** `push` or `end` was called on a stream that has ended. */
  | "ERR_PII_STREAM_ENDED"
  /** A vault has reached its maximum number of values. */
  | "ERR_PII_VAULT_FULL"
  /** A vault could not be read or written: wrong key, damaged file, or no access. */
  | "ERR_PII_VAULT_FAILED"
  /**
   * A conversation contains a token of another session or of another process's vault. The token stays. Only reported as
   * a notification.
   */
  | "ERR_PII_TOKEN_UNKNOWN";

/** The position of a finding in a string, a value or a file. */
export interface PiiPlace {
  /** The file name, if the CLI read a file. */
  readonly file?: string;
  /** The path of the field in a value, such as `messages[0].content`. */
  readonly path?: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column in the line, from 1, in UTF-16 units. */
  readonly column: number;
}

/** Details of an error: the places and the types found. Never contains the values. */
export interface PiiErrorDetails {
  readonly types?: readonly string[];
  readonly places?: readonly string[];
  readonly at?: PiiPlace | undefined;
}

/** The error class of @suite/pii. It contains types, rules and places, never a value. */
export class PiiError extends codedError<PiiErrorCode>("PiiError", "@suite/pii/error") {
  readonly types: readonly string[];
  /** Places in a run: `input`, `output`. */
  readonly places: readonly string[];
  /** The position of the blocked value, if it was found outside of a run. Otherwise the property does not exist. */
  declare readonly at?: PiiPlace;

  constructor(code: PiiErrorCode, message: string, options: ErrorOptions & PiiErrorDetails = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.types = options.types ?? [];
    this.places = options.places ?? [];
    if (options.at !== undefined) this.at = options.at;
  }
}

/** Throws if the value is not a string. `value()` accepts any value. */
export function expectText(text: unknown, name: string): string {
  if (typeof text === "string") return text;
  const kind = text === null ? "null" : typeof text;
  throw new PiiError(
    "ERR_PII_NOT_TEXT",
    `${name} takes a string, but was passed ${kind}. For other values use value() of a redactor.`,
  );
}

/** Creates the error of the `block` strategy. */
export function blocked(types: readonly string[], places: readonly string[] = [], at?: PiiPlace): PiiError {
  const named = [...places, ...(at?.file === undefined ? [] : [at.file]), ...(at?.path === undefined ? [] : [at.path])];
  if (at !== undefined) named.push(`line ${at.line}, column ${at.column}`);
  const where = named.length > 0 ? ` in ${named.join(", ")}` : "";
  return new PiiError(
    "ERR_PII_BLOCKED",
    `Blocked: ${types.join(", ")} found${where}. The value is not repeated here. Remove it, or use another strategy than "block".`,
    { types, places, at },
  );
}
