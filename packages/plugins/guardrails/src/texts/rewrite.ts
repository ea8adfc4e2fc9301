import { type ContentPart, toolContent, toolContentOf } from "@suite/core/messages";
import { isObject } from "@suite/kit";

/** The result of rewriting the strings of a value. */
export interface Rewritten {
  /** The original value if nothing changed. */
  readonly value: unknown;
  /** True if a part could not be checked: it is nested too deeply, contains itself, or throws. */
  readonly unreadable: boolean;
}

/** The maximum depth that is checked. JSON of tools is less deep. */
const deepest = 200;

/**
 * Passes each string of a value to `rewrite` and replaces it by the result, including strings in keys, maps, sets and
 * errors. A changed part and everything that contains it is copied. Bytes, dates and numbers are not strings.
 */
export function rewriteTexts(value: unknown, rewrite: (text: string) => string): Rewritten {
  const parts = toolContentOf(value);
  if (parts !== undefined) return rewriteContent(value, parts, rewrite);
  let unreadable = false;
  const done = new Map<object, unknown>();
  const open = new Set<object>();

  const visit = (given: unknown, depth: number): unknown => {
    if (typeof given === "string") return rewrite(given);
    if (!isObject(given)) return given;
    const known = done.get(given);
    if (known !== undefined) return known;
    if (open.has(given) || depth > deepest) {
      unreadable = true;
      return given;
    }
    open.add(given);
    const made = inside(given, (inner) => visit(inner, depth + 1));
    open.delete(given);
    done.set(given, made);
    return made;
  };

  try {
    return { value: visit(value, 0), unreadable };
  } catch {
    return { value, unreadable: true }; // a getter, or a proxy, that throws
  }
}

/**
 * Rewrites the content of a tool's result: its strings and addresses. The bytes of a file are left as they are,
 * whatever their length.
 */
function rewriteContent(value: unknown, parts: readonly ContentPart[], rewrite: (text: string) => string): Rewritten {
  const made = parts.map((part) => {
    if (part.type !== "text" && part.type !== "uri") return part;
    const before = part.type === "text" ? part.content : part.uri;
    const after = rewrite(before);
    if (after === before) return part;
    const { native: _, ...rest } = part; // the native part still contains the removed content
    return rest.type === "text" ? { ...rest, content: after } : { ...rest, uri: after };
  });
  return { value: same(made, parts) ? value : toolContent(made), unreadable: false };
}

/** Returns an object with its members rewritten, or the object itself if nothing changed. */
function inside(given: object, visit: (value: unknown) => unknown): unknown {
  if (ArrayBuffer.isView(given) || given instanceof ArrayBuffer || given instanceof Date) return given;
  if (Array.isArray(given)) {
    const made = given.map(visit);
    return same(made, given) ? given : made;
  }
  if (given instanceof Map) {
    const before = [...given].flat();
    const made = before.map(visit);
    if (same(made, before)) return given;
    return new Map([...given].map((_, index) => [made[index * 2], made[index * 2 + 1]]));
  }
  if (given instanceof Set) {
    const made = [...given].map(visit);
    return same(made, [...given]) ? given : new Set(made);
  }
  const keys = Object.keys(given);
  const json = keys.length === 0 && (given as { readonly toJSON?: unknown }).toJSON;
  if (typeof json === "function") {
    // Without properties this form is all that the model reads: of a URL, or of a class with private fields.
    const shown: unknown = json.call(given, "");
    const clean = visit(shown);
    return Object.is(clean, shown) ? given : clean;
  }
  if (given instanceof Error) keys.push("name", "message", "stack", ...(given.cause === undefined ? [] : ["cause"]));
  const object = given as Readonly<Record<string, unknown>>;
  let changed = false;
  const entries = keys.map((key): [string, unknown] => {
    const before = object[key];
    const entry: [string, unknown] = [visit(key) as string, visit(before)];
    if (entry[0] !== key || !Object.is(entry[1], before)) changed = true;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : given;
}

const same = (made: readonly unknown[], before: readonly unknown[]): boolean =>
  made.every((value, index) => Object.is(value, before[index]));
