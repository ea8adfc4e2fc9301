/**
 * The maximum nesting depth of arguments. Tools need no more, and code that walks them recursively cannot overflow the
 * stack.
 */
export const maxDepth = 256;

/** The maximum nesting depth of a pending state: of a value, inside messages, inside the states of some sub-agents. */
export const deepestState = 500;

/** Returns the nesting depth of a JSON string. */
export function nesting(json: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") most = Math.max(most, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return most;
}

/** Returns the arguments of a call as a person or another system sees them: a JSON copy. */
export const displayArguments = (args: unknown): unknown =>
  args === undefined ? {} : JSON.parse(JSON.stringify(args) ?? "null");

/** True if the value is an error, including errors of another realm. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";

/** Replaces errors, which JSON would write as `{}`. */
const errorsAsText = (_key: string, value: unknown): unknown =>
  isError(value) ? { name: value.name, message: value.message } : value;

/** Returns a JSON copy of a value, or `undefined` if it has no JSON form or is nested too deeply. */
export function jsonCopy(value: unknown): { readonly value: unknown } | undefined {
  try {
    const json = JSON.stringify(value, errorsAsText);
    if (json === undefined) return { value: null };
    return nesting(json) > maxDepth ? undefined : { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/**
 * Returns a deep copy of lists and plain objects. Other values, for example a handle that a layer added, are not
 * copied.
 */
export function copyOf<T>(value: T, seen: Map<unknown, unknown> = new Map(), depth = 0): T {
  if (typeof value !== "object" || value === null || depth > deepestState) return value;
  const known = seen.get(value);
  if (known !== undefined) return known as T;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    seen.set(value, list);
    for (const each of value) list.push(copyOf(each, seen, depth + 1));
    return list as T;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const fields: object = Object.create(prototype as object | null);
  seen.set(value, fields);
  for (const [key, field] of Object.entries(value)) {
    const copy = copyOf(field, seen, depth + 1);
    Object.defineProperty(fields, key, { value: copy, writable: true, enumerable: true, configurable: true });
  }
  return fields as T;
}

/**
 * True if the value is nested deeper than the limit. Walks level by level, because recursion would overflow the stack.
 */
export function deeperThan(value: unknown, limit: number): boolean {
  const seen = new Set<unknown>();
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const inner: unknown[] = [];
    for (const each of level) {
      if (typeof each !== "object" || each === null || seen.has(each)) continue;
      seen.add(each);
      for (const value of Object.values(each)) inner.push(value);
    }
    level = inner;
  }
  return false;
}
