import { Originals } from "@suite/core/framework";
import { canonical } from "@suite/kit/digest";
import { isJson, type Json } from "../json.js";

/** The fields that contain signed or encrypted reasoning of a model. */
const signatures = ["signature", "thoughtSignature", "encrypted_content"];

/** The maximum depth of the search in a request. Messages are a few levels deep. */
const deepest = 12;

/** The maximum number of copies of one signature: a piece of a stream, the joined text, and repeated whole values. */
const mostCopies = 4;

/** Signed fields as the provider sent them, and as the client received them. */
interface Copy {
  readonly fields: Json;
  readonly sent: Json;
}

/** The copies of each signature. */
const originals = new Originals<readonly Copy[]>();

/**
 * Stores signed fields of the provider that a plugin changed on the way to the client. A provider refuses its signature
 * on other text.
 *
 * @param fields the signed fields as the provider sent them
 * @param sent the same fields as the client received them. Only an equal copy is replaced later.
 */
export function keepSigned(signature: unknown, fields: Json, sent: Json): void {
  if (typeof signature !== "string" || signature === "") return;
  const others = (originals.get(signature) ?? []).filter((copy) => canonical(copy.sent) !== canonical(sent));
  originals.keep([...others.slice(1 - mostCopies), { fields, sent }], signature);
}

/**
 * Returns a request with the provider's original values in all signed fields. Returns the same object if nothing was
 * changed.
 */
export function withSigned<T extends Json>(request: T): T {
  return originals.size === 0 ? request : (restored(request, 0) as T);
}

function restored(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > deepest) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => restored(item, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const fields = isJson(value) ? originalOf(value) : undefined;
  if (fields !== undefined) return { ...value, ...fields };
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const other = restored(item, depth + 1);
    if (other === item) continue;
    copy ??= { ...value };
    copy[key] = other;
  }
  return copy ?? value;
}

function originalOf(value: Json): Json | undefined {
  for (const field of signatures) {
    const signature = value[field];
    const copies = typeof signature === "string" ? originals.get(signature) : undefined;
    const copy = copies?.findLast(({ sent }) => isCopy(value, sent));
    if (copy === undefined) continue;
    return Object.fromEntries(Object.entries(copy.fields).filter(([name]) => value[name] !== undefined));
  }
  return undefined;
}

/** True if a client sends back what it received. It may leave out fields of a part and of its call, such as the id. */
function isCopy(value: unknown, sent: unknown, depth = 0): boolean {
  if (depth === 2 || !isJson(value) || !isJson(sent)) return canonical(value) === canonical(sent);
  return Object.entries(sent).every(
    ([name, item]) => value[name] === undefined || isCopy(value[name], item, depth + 1),
  );
}
