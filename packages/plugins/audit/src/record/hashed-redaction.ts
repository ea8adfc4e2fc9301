import type { Redactor } from "@suite/core";
import { hashedValue } from "./hashed.js";
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

/**
 * Stand for values that were taken out of texts, until all redactors have seen these: a hash has digits enough to be found
 * as something itself. They are written in noncharacters, which Unicode keeps for use inside of a program; `toPlain` lets
 * none of them in.
 */
class Marks {
  readonly #values: string[] = [];

  /** The mark of a value. */
  readonly mark = (value: string): string => {
    // What was found round a mark is a value with all that stood there.
    const whole = this.replace(value, (original) => original);
    return BEGIN + digits(this.#values.push(whole) - 1) + END;
  };

  /** A text with something else in the place of its marks. */
  replace(text: string, by: (value: string) => string): string {
    if (!text.includes(BEGIN)) return text.replace(anyLeft, "");
    return text
      .replace(marks, (_, number: string) => {
        const value = this.#values[numberOf(number)];
        return value === undefined ? "" : by(value);
      })
      .replace(anyLeft, "");
  }

  clear(): void {
    this.#values.length = 0;
  }
}

const ZERO = 0xfdd0;
const BEGIN = "\uFDE0";
const END = "\uFDE1";
const marks = /\uFDE0([\uFDD0-\uFDDF]{1,8})\uFDE1/g;
/** A redactor has cut a mark. */
const anyLeft = /[\uFDD0-\uFDEF]/g;

const digits = (number: number): string =>
  Array.from(number.toString(16), (digit) => String.fromCharCode(ZERO + Number.parseInt(digit, 16))).join("");

const numberOf = (written: string): number =>
  Array.from(written).reduce((number, digit) => number * 16 + digit.charCodeAt(0) - ZERO, 0);
