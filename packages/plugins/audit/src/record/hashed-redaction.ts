import type { Redactor } from "@suite/core";
import { hashedValue } from "./hashed.js";
import { Marks } from "./marks.js";
import { type Redaction, redactJson } from "./redaction.js";
import type { ValueKey } from "./value-key.js";

/** The redaction that leaves hashed values, where a redactor can be told so; what others leave is their own. */
export function hashedRedaction(key: ValueKey): Redaction {
  const marks = new Marks();
  const told = new WeakMap<Redactor, Redactor>();
  const hashed = (value: string): string => hashedValue(key, value);
  const finish = (text: string): string => marks.replace(text, hashed);
  return (value, redactor) => {
    let marking = told.get(redactor);
    if (marking === undefined) {
      marking = redactor.replacing?.(marks.mark) ?? redactor;
      told.set(redactor, marking);
    }
    try {
      return redactJson(value, marking, finish);
    } finally {
      marks.clear();
    }
  };
}
