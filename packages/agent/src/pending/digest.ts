import { canonicalWriter, toHex } from "@suite/kit";

const encoder = new TextEncoder();

/** Returns JSON with sorted keys, so that equal values have the same string. The value must be JSON already. */
export const canonical: (value: unknown) => string = canonicalWriter();

/** Returns the arguments of a call as a person or another system sees them: a JSON copy. */
export const shownArguments = (args: unknown): unknown =>
  args === undefined ? {} : JSON.parse(JSON.stringify(args) ?? "null");

/** Returns the digest that binds a decision to a call: SHA-256 of its name and arguments, in hex. */
export async function digestOf(name: string, args: unknown): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", encoder.encode(canonical([name, args]))));
}

/** Returns the HMAC-SHA-256 of a string, in hex. */
export async function macOf(secret: string | Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const raw = typeof secret === "string" ? encoder.encode(secret) : secret;
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** Compares two strings in a time that does not depend on their content. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}
