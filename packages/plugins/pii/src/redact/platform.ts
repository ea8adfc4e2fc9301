/** Names and values that a platform's object holds in itself, and of which none is a property. */
type Pairs = Headers | URLSearchParams | FormData;

/** Whether an object is one of the platform's lists of names and values. */
export const isPairs = (value: unknown): value is Pairs =>
  (typeof Headers === "function" && value instanceof Headers) ||
  (typeof URLSearchParams === "function" && value instanceof URLSearchParams) ||
  (typeof FormData === "function" && value instanceof FormData);

/** Another one of the same kind, with nothing in it. */
export function blankPairs(pairs: Pairs): Pairs {
  if (pairs instanceof URLSearchParams) return new URLSearchParams();
  return pairs instanceof Headers ? new Headers() : new FormData();
}

/** Adds a name and a value. What a header cannot be named, or hold, is left out of it. */
export function addPair(pairs: Pairs, name: unknown, value: unknown): void {
  try {
    if (pairs instanceof FormData && typeof value === "object") pairs.append(String(name), value as Blob);
    else pairs.append(String(name), String(value));
  } catch {
    if (pairs instanceof Headers) addHeader(pairs, name);
  }
}

function addHeader(headers: Headers, name: unknown): void {
  const spelt = String(name).replaceAll(/[^\w-]/g, "");
  headers.append(spelt === "" ? "redacted" : spelt, "redacted");
}

/** The value that a `String`, `Number` or `BigInt` object stands for; undefined for all other objects. */
export function unboxed(value: object): unknown {
  if (value instanceof String) return String.prototype.valueOf.call(value);
  if (value instanceof Number) return Number.prototype.valueOf.call(value);
  return Object.prototype.toString.call(value) === "[object BigInt]" ? BigInt.prototype.valueOf.call(value) : undefined;
}
