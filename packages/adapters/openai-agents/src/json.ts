/** Parses a JSON string. Returns the string if it is not JSON. */
export function parsed(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a value as a JSON string. Strings are returned unchanged. */
export const jsonOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
