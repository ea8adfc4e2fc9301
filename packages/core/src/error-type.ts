/** The type of a thrown value that has neither code nor class. It is OpenTelemetry's fallback for `error.type`. */
const OTHER = "_OTHER";

/** The form of a code or a class name: an identifier, and not a sentence or a value of a user. */
const WORD = /^[A-Za-z_][A-Za-z0-9_.$:-]{0,99}$/;

/** A code of SQL, such as 23505 for a duplicate. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The codes that JSON-RPC reserves for its own errors and those of protocols on it, such as MCP. */
const JSON_RPC = { from: -32768, to: -32000 } as const;

/** The words by which bodies of providers say only that they hold an error. */
const EMPTY: ReadonlySet<string> = new Set(["error", "Error", "Object"]);

const word = (value: unknown): string | undefined =>
  typeof value === "string" && WORD.test(value) ? value : undefined;

/** Reads a property of any thrown value. A getter that throws counts as absent. */
function read(from: unknown, property: string): unknown {
  try {
    return (Object(from) as Record<string, unknown>)[property];
  } catch {
    return undefined;
  }
}

/**
 * Returns the type of an error for spans, metrics, logs and records, the same whichever framework threw it: its code; else
 * the code or type that a provider's response gives; else the HTTP status; else the name of its class.
 *
 * The type contains no message. Returns `_OTHER` if the thrown value has none of these.
 *
 * @example
 * ```ts
 * errorTypeOf(error); // "rate_limit_exceeded", "ECONNREFUSED", "503", "TypeError"
 * ```
 */
export const errorTypeOf = (error: unknown): string =>
  isObject(error) ? (errorCodeOf(error) ?? className(error)) : OTHER;

/**
 * Returns the code of an error: its own, else the code or type that a provider's response gives, else the HTTP status.
 * Returns `undefined` if it has none of these.
 */
export function errorCodeOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const code = codeType(read(error, "code"));
  // A code of this suite says less than the response of the provider that it stands for.
  const own = code?.startsWith("ERR_") === true ? undefined : code;
  return own ?? providerType(error) ?? statusType(error) ?? code;
}

function codeType(code: unknown): string | undefined {
  if (typeof code === "string" && SQLSTATE.test(code)) return code;
  if (typeof code === "number" && Number.isInteger(code) && code >= JSON_RPC.from && code <= JSON_RPC.to)
    return `${code}`;
  return word(code);
}

/** Returns the HTTP status of an error, as the usual clients have it. Returns `undefined` if there is none. */
export function errorStatusOf(error: unknown): number | undefined {
  for (const value of [read(error, "status"), read(error, "statusCode"), read(read(error, "response"), "status")]) {
    if (typeof value === "number" && Number.isInteger(value) && value >= 100 && value < 600) return value;
  }
  return undefined;
}

function statusType(error: unknown): string | undefined {
  const status = errorStatusOf(error);
  return status !== undefined && status >= 400 ? String(status) : undefined;
}

/**
 * Returns the code or type that a provider gave. OpenAI's client copies them to the error, Anthropic's keeps the body as
 * `error`, the AI SDK as `data`, and @suite/fetch as `body`.
 */
function providerType(error: object): string | undefined {
  const bodies = [read(error, "error"), read(error, "data"), read(error, "body")].filter(isObject);
  for (const body of bodies) {
    const inner = read(body, "error");
    const found = typed(isObject(inner) ? inner : body);
    if (found !== undefined) return found;
  }
  return errorStatusOf(error) === undefined ? undefined : named(read(error, "type"));
}

const typed = (body: unknown): string | undefined => named(read(body, "code")) ?? named(read(body, "type"));

const named = (value: unknown): string | undefined => {
  const found = word(value);
  return found === undefined || EMPTY.has(found) ? undefined : found;
};

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function className(error: object): string {
  const name = word(read(error, "name"));
  if (name !== undefined && name !== "Error") return name;
  const constructed = word(read(read(error, "constructor"), "name"));
  return (constructed === "Object" ? undefined : constructed) ?? name ?? OTHER;
}
