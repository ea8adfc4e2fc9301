import type { Recogniser } from "../scan/recogniser.js";
import type { CompiledRule } from "../scan/rule.js";
import { invalidRule } from "./invalid.js";
import type { Rule } from "./rule.js";

/** Returns the built-in recogniser of a type, configured by the rule. */
export function compileBuiltIn(
  type: string,
  { regions }: Rule,
  recogniser: Recogniser,
): Pick<CompiledRule, "recogniser" | "walker" | "streams"> {
  const { walker } = recogniser;
  if (regions === undefined) return { recogniser, ...(walker && { walker }), streams: true };
  if (recogniser.inRegions === undefined) {
    throw invalidRule(type, "only phone has regions. Remove them.");
  }
  if (!Array.isArray(regions) || regions.length === 0) {
    throw invalidRule(type, 'regions is a list of countries, such as ["US", "DE"].');
  }
  try {
    return { recogniser: recogniser.inRegions(regions), streams: true };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidRule(type, "regions contains a value that is not an ISO 3166-1 country (two capital letters).");
  }
}
