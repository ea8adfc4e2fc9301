import { Originals } from "@suite/core/framework";
import { isJson, type Json } from "../json.js";

/** The fields in which providers sign or encrypt what a model thought. */
const signatures = ["signature", "thoughtSignature", "encrypted_content"];

/** The depth to which a request is searched. Messages lie a few levels deep. */
const deepest = 12;

/** Signed fields as the provider sent them, and as the client got them, by signature. */
const originals = new Originals<{ readonly fields: Json; readonly sent: Json }>();

/**
 * Keeps what a provider signed, since a plugin has changed it on its way to the client. A provider refuses its own signature
 * on other text.
 *
 * @param fields the signed fields as the provider sent them
 * @param sent the same fields as the client got them: only such a copy is replaced later
 */
export function keepSigned(signature: unknown, fields: Json, sent: Json = {}): void {
  if (typeof signature === "string" && signature !== "") originals.keep({ fields, sent }, signature);
}

/** Returns a request in which everything that is signed is as its provider sent it. The same object if nothing was changed. */
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
    const known = typeof signature === "string" ? originals.get(signature) : undefined;
    if (known !== undefined && Object.entries(known.sent).every(([name, text]) => value[name] === text)) {
      return known.fields;
    }
  }
  return undefined;
}
