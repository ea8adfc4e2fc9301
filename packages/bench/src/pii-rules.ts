import { defaultTypes, type Rules, type Strategy } from "@suite/pii";

/** The types that other detectors have, too. */
export const five = ["email", "credit_card", "ip", "mac", "url"];
/** Every built-in type. */
export const ten = defaultTypes;

/** Rules that do the same with each of these types. */
export const rulesFor = (types: readonly string[], strategy: Strategy = "redact"): Rules =>
  Object.fromEntries(types.map((type) => [type, strategy]));
