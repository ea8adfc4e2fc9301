import { isObject } from "@suite/core/internal";

/** The type of a thrown value without a code or class. OpenTelemetry's fallback for `error.type`. */
const OTHER = "_OTHER";

/** The form of a code or class name: an identifier, not a sentence or a user's value. */
const WORD = /^[A-Za-z_][A-Za-z0-9_.$:-]{0,99}$/;

/** An SQL code, such as 23505 for a duplicate. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Codes that JSON-RPC reserves for its errors and for protocols on top of it, such as MCP. */
const JSON_RPC = { from: -32768, to: -32000 } as const;

/** Words in providers' bodies that only mark an error. */
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
 * Returns the type of an error for spans, metrics, logs and records. It does not depend on the framework: the error's
 * code, else the code or type in a provider's response, else the HTTP status, else the class name.
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
 * Returns the code of an error, else the code or type in a provider's response, else the HTTP status. Returns
 * `undefined` if it has none of these.
 */
export function errorCodeOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const code = codeType(read(error, "code"));
  // The provider's response is more specific than a code of this suite.
  const foreignCode = code?.startsWith("ERR_") === true ? undefined : code;
  return foreignCode ?? providerType(error) ?? statusType(error) ?? code;
}

function codeType(code: unknown): string | undefined {
  if (typeof code === "string" && SQLSTATE.test(code)) return code;
  if (typeof code === "number" && Number.isInteger(code) && code >= JSON_RPC.from && code <= JSON_RPC.to)
    return `${code}`;
  return word(code);
}

/** Returns the HTTP status of an error, from the fields of common clients. Returns `undefined` if it has no status. */
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
 * Returns the code or type from a provider's response. OpenAI's client copies them to the error, Anthropic's client
 * stores the body in `error`, the AI SDK in `data`, and @suite/fetch in `body`.
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

function className(error: object): string {
  const name = word(read(error, "name"));
  if (name !== undefined && name !== "Error") return name;
  const constructed = word(read(read(error, "constructor"), "name"));
  return (constructed === "Object" ? undefined : constructed) ?? name ?? OTHER;
}
