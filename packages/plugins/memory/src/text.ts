/** Truncates a string for storage and display. Never splits a surrogate pair. */
export function shortened(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const end = maximum - 2;
  const unit = text.charCodeAt(end - 1);
  return `${text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end)} …`;
}

/** Puts a string on one line, so that a memory cannot imitate the text around it. */
export const onOneLine = (text: string): string => text.split(/\s+/u).join(" ").trim();
