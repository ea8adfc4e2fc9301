import type { Replace, StrategyContext } from "./context.js";

/** Applies the mask of the type. Other types keep the last four characters of a value of at least twelve. */
export function mask({ mask: builtIn }: StrategyContext): Replace {
  const apply = builtIn ?? ((value: string) => (value.length < 12 ? "****" : `****${value.slice(-4)}`));
  return ({ value }) => {
    const masked = apply(value);
    // A short value of a `deny` list could be visible in its mask.
    return masked.includes(value) ? "****" : masked;
  };
}
