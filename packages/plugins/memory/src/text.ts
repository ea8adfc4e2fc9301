/** A text as it is kept and shown: within a bound, no pair of surrogates parted. */
export function shortened(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const end = maximum - 2;
  const unit = text.charCodeAt(end - 1);
  return `${text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end)} …`;
}

/** A text on one line: what was written in a memory cannot look like something beside it. */
export const onOneLine = (text: string): string => text.split(/\s+/u).join(" ").trim();
