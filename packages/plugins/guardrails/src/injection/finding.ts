/** A finding: a suspicious part of a string, with a weight. */
export interface Finding {
  readonly type: "instructions" | "hidden_text" | "link" | "size";
  /** The rule that found it, in a short word. */
  readonly rule: string;
  /** The weight, from 0 to 1. */
  readonly weight: number;
  /** The beginning, in UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
}

/** Returns the score of a string from 0 to 1. Findings of different rules add up. */
export function scoreOf(findings: readonly Finding[]): number {
  const byRule = new Map<string, number>();
  for (const { type, rule, weight } of findings) {
    const key = `${type} ${rule}`;
    byRule.set(key, Math.max(byRule.get(key) ?? 0, weight));
  }
  let not = 1;
  for (const weight of byRule.values()) not *= 1 - weight;
  return 1 - not;
}
