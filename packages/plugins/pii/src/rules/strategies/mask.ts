import type { Replace, StrategyContext } from "./context.js";

/** The type's own mask of the value; for other types the last four characters of a value of at least twelve. */
export function mask({ mask: own }: StrategyContext): Replace {
  const apply = own ?? ((value: string) => (value.length < 12 ? "****" : `****${value.slice(-4)}`));
  return ({ value }) => {
    const masked = apply(value);
    // A value of a `deny` list may be shorter than what is left of others.
    return masked.includes(value) ? "****" : masked;
  };
}
