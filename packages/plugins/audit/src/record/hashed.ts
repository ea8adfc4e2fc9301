import { createHmac, KeyObject } from "node:crypto";
import { isObject } from "@suite/kit";
import type { Check } from "@suite/kit/options";
import { checkArgument, string } from "../options.js";
import { spelling } from "./spelling.js";
import type { ValueKey } from "./value-key.js";

/**
 * Returns the replacement of a sensitive value: `hmac-sha256:<kid>:<hex>`, HMAC-SHA-256 over the value's spelling in
 * UTF-8. A value has one replacement per key in all its spellings (see `spelling`), so that it can be counted and
 * searched for. Without the key it can be neither read nor guessed.
 *
 * @example
 * ```ts
 * const key = await readValueKey("audit-values");
 * hashedValue(key, "Jane@Example.com") === hashedValue(key, "jane@example.com"); // true
 * ```
 */
export function hashedValue(valueKey: ValueKey, value: string): string {
  checkArgument("hashedValue", "valueKey", valueKey, keyOfValues);
  checkArgument("hashedValue", "value", value, string);
  const { kid, key } = valueKey;
  return `hmac-sha256:${kid}:${createHmac("sha256", key).update(spelling(value), "utf8").digest("hex")}`;
}

const keyOfValues: Check = (value) =>
  isObject(value) && typeof value.kid === "string" && value.key instanceof KeyObject
    ? undefined
    : "a key that valueKey() returned";
