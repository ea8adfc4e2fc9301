/** The secrets of the contract tests: bounded on both sides, so that holding back is bounded too. */
const secret = /[a-z0-9.]{1,64}@[a-z0-9.]{1,64}/g;

/** The maximum length of such a secret, in UTF-16 units. */
export const longestSecret = 129;

/** A character that can be part of a secret. */
export const secretCharacter = /[a-z0-9.@]/;

export const replacement = "[EMAIL]";

export const redactText = (text: string): string => text.replace(secret, replacement);

/** Returns the positions of the secrets in a string, as start and end. */
export const secretsIn = (text: string): readonly (readonly [number, number])[] =>
  Array.from(text.matchAll(secret), (match) => [match.index, match.index + match[0].length]);

const deepest = 100;

/**
 * Redacts JSON-like values, which may be anything that a model or a tool returns. A value that is too deep, circular or
 * unreadable is removed as a whole.
 */
export function redactValue(value: unknown): unknown {
  const done = new Map<object, unknown>();
  const visit = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") return redactText(item);
    if (typeof item !== "object" || item === null) return item;
    if (depth > deepest) return "[TOO DEEP]";
    if (!done.has(item)) {
      done.set(item, "[CIRCULAR]");
      done.set(
        item,
        copy(item, (inner) => visit(inner, depth + 1)),
      );
    }
    return done.get(item);
  };
  return visit(value, 0);
}

function copy(value: object, visit: (item: unknown) => unknown): unknown {
  try {
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactText(key), visit(item)]));
  } catch {
    return "[UNREADABLE]";
  }
}
