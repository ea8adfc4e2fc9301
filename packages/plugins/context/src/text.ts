/** Converts a value to a string for the model. */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return ""; // a value that is not JSON cannot be sent
  }
}

/**
 * Shortens a string to the maximum: its middle is replaced by a note, or its end by "…" if the maximum has no room for the
 * note. No pair of surrogates is parted.
 */
export function middleOut(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const note = `\n[… ${text.length - maximum} and more characters are left out here …]\n`;
  if (note.length >= maximum) return `${text.slice(0, before(text, maximum - 1))}…`;
  const head = before(text, Math.ceil(((maximum - note.length) * 2) / 3));
  const tail = text.length - (maximum - note.length - head);
  return text.slice(0, head) + note + text.slice(isLow(text, tail) ? tail + 1 : tail);
}

const before = (text: string, at: number): number => (isLow(text, at) ? at - 1 : at);

/** Whether a place is between the two halves of a character. */
const isLow = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
};
