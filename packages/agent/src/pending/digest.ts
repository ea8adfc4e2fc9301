const encoder = new TextEncoder();

/** JSON with sorted keys: the same text for the same value. Values are JSON already. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/** A call's arguments as a person, or another system, is shown them: a copy, as JSON has it. */
export const shownArguments = (args: unknown): unknown =>
  args === undefined ? {} : JSON.parse(JSON.stringify(args) ?? "null");

/** The digest that a decision is bound to: SHA-256 over the call's name and arguments, in hex. */
export async function digestOf(name: string, args: unknown): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", encoder.encode(canonical([name, args]))));
}

/** HMAC-SHA-256 of a text, in hex. */
export async function macOf(secret: string | Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const raw = typeof secret === "string" ? encoder.encode(secret) : secret;
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** Compares without telling by its time where two texts differ. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
