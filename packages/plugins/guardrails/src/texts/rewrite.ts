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

  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return rewrite(value);
    if (!isObject(value)) return value;
    const known = done.get(value);
    if (known !== undefined) return known;
    if (open.has(value) || depth > deepest) {
      unreadable = true;
      return value;
    }
    open.add(value);
    const rewritten = inside(value, (inner) => visit(inner, depth + 1));
    open.delete(value);
    done.set(value, rewritten);
    return rewritten;
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
  const rewritten = parts.map((part) => {
    if (part.type !== "text" && part.type !== "uri") return part;
    const before = part.type === "text" ? part.content : part.uri;
    const after = rewrite(before);
    if (after === before) return part;
    const { native: _, ...rest } = part; // the native part still contains the removed content
    return rest.type === "text" ? { ...rest, content: after } : { ...rest, uri: after };
  });
  return { value: same(rewritten, parts) ? value : toolContent(rewritten), unreadable: false };
}

/** Returns an object with its members rewritten, or the object itself if nothing changed. */
function inside(container: object, visit: (value: unknown) => unknown): unknown {
  if (ArrayBuffer.isView(container) || container instanceof ArrayBuffer || container instanceof Date) return container;
  if (Array.isArray(container)) {
    const rewritten = container.map(visit);
    return same(rewritten, container) ? container : rewritten;
  }
  if (container instanceof Map) {
    const before = [...container].flat();
    const rewritten = before.map(visit);
    if (same(rewritten, before)) return container;
    return new Map([...container].map((_, index) => [rewritten[index * 2], rewritten[index * 2 + 1]]));
  }
  if (container instanceof Set) {
    const rewritten = [...container].map(visit);
    return same(rewritten, [...container]) ? container : new Set(rewritten);
  }
  const keys = Object.keys(container);
  const json = keys.length === 0 && (container as { readonly toJSON?: unknown }).toJSON;
  if (typeof json === "function") {
    // Without properties this form is all that the model reads: of a URL, or of a class with private fields.
    const serialized: unknown = json.call(container, "");
    const clean = visit(serialized);
    return Object.is(clean, serialized) ? container : clean;
  }
  if (container instanceof Error)
    keys.push("name", "message", "stack", ...(container.cause === undefined ? [] : ["cause"]));
  const object = container as Readonly<Record<string, unknown>>;
  let changed = false;
  const entries = keys.map((key): [string, unknown] => {
    const before = object[key];
    const entry: [string, unknown] = [visit(key) as string, visit(before)];
    if (entry[0] !== key || !Object.is(entry[1], before)) changed = true;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : container;
}

const same = (after: readonly unknown[], before: readonly unknown[]): boolean =>
  after.every((value, index) => Object.is(value, before[index]));
