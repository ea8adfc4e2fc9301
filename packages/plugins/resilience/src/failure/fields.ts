import { isObject } from "@suite/kit";

/** An error as a client library makes it. Each field may be missing or of any type. */
export type Fields = Readonly<Record<string, unknown>>;

/** The maximum depth of causes, and of the bodies within one error. */
const depth = 5;

/** The longest response body, in characters, that is parsed to find the provider's error in it. */
const longestBody = 65_536;

/** The code for a response with status 200 whose body is not JSON, such as the HTML page of a proxy. */
export const notJson = "body_not_json";

/** Wraps a reader of errors so that it returns `fallback` if reading throws: anything can be thrown, also a revoked proxy. */
export function safely<A, B>(read: (error: unknown) => A, fallback: B): (error: unknown) => A | B {
  return (error) => {
    try {
      return read(error);
    } catch {
      return fallback;
    }
  };
}

/** Iterates over an error and its causes, outermost first. A chain may be endless: it stops after five. */
export function* chainOf(error: unknown): Generator<Fields> {
  let at = error;
  for (let each = 0; each < depth && isObject(at); each++) {
    yield at;
    at = at.cause ?? at.lastError;
  }
}

/** Iterates over the places of one error that may contain a code, a type or a status: the error, then the bodies in it. */
export function* errorAndBodies(error: Fields): Generator<Fields> {
  let at: Fields | undefined = error;
  for (let each = 0; each < depth && at !== undefined; each++) {
    yield at;
    at = [at.error, at.body, bodyOf(at), at.response, at.data].find(isObject);
  }
}

/** Parses the body that the AI SDK keeps as a string if it cannot read a response with status 200. */
function bodyOf({ statusCode, responseBody }: Fields): unknown {
  if (statusCode !== 200 || typeof responseBody !== "string" || responseBody.length > longestBody) return undefined;
  try {
    return JSON.parse(responseBody);
  } catch {
    return { code: notJson };
  }
}

/** Iterates over the names of an error: the codes, types and statuses in all of its places, then its name and its class. */
export function* namesOf(error: Fields): Generator<unknown> {
  for (const { code, type, status } of errorAndBodies(error)) yield* [code, type, status];
  yield error.name;
  yield isObject(error.constructor) || typeof error.constructor === "function" ? error.constructor.name : undefined;
}
