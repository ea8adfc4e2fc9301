import type { Replace, StrategyContext } from "./context.js";

/** The placeholder of a type: `[REDACTED_EMAIL]`. */
export const placeholder = (type: string): string => `[REDACTED_${type.toUpperCase()}]`;

export function redact({ type }: StrategyContext): Replace {
  const replacement = placeholder(type);
  return () => replacement;
}
