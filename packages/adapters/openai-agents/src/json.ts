/** The value of a JSON text; the text itself where it is none. */
export function parsed(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as JSON text; text that is none already as it is. */
export const jsonOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
