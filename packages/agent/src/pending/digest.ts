const encoder = new TextEncoder();

/** Returns JSON with sorted keys, so that equal values have the same string. The value must be JSON already. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/** Returns the arguments of a call as a person or another system sees them: a JSON copy. */
export const shownArguments = (args: unknown): unknown =>
  args === undefined ? {} : JSON.parse(JSON.stringify(args) ?? "null");

/** Returns the digest that binds a decision to a call: SHA-256 of its name and arguments, in hex. */
export async function digestOf(name: string, args: unknown): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", encoder.encode(canonical([name, args]))));
}

/** Returns the HMAC-SHA-256 of a string, in hex. */
export async function macOf(secret: string | Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const raw = typeof secret === "string" ? encoder.encode(secret) : secret;
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** Compares two strings in a time that does not depend on their content. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
