import type { Redactor } from "@suite/core";
import { hashedValue } from "./hashed.js";
import { type Redaction, redactJson } from "./redaction.js";
import type { ValueKey } from "./value-key.js";

/**
 * Creates a redaction that replaces values with hashes, for redactors that support `replacing`. Other redactors keep
 * their replacements.
 */
export function hashedRedaction(key: ValueKey): Redaction {
  const marks = new Marks();
  const redactors = new WeakMap<Redactor, Redactor>();
  const hashed = (value: string): string => hashedValue(key, value);
  const finish = (text: string): string => marks.replace(text, hashed);
  return (value, redactor) => {
    let marking = redactors.get(redactor);
    if (marking === undefined) {
      marking = redactor.replacing?.(marks.mark) ?? redactor;
      redactors.set(redactor, marking);
    }
    try {
      return redactJson(value, marking, finish);
    } finally {
      marks.clear();
    }
  };
}

/**
 * Marks that replace values in strings until all redactors have run. A hash cannot be inserted earlier: it has enough
 * digits to be found as a sensitive value itself. Marks consist of noncharacters, which Unicode reserves for internal
 * use. `toPlain` removes them from input.
 */
class Marks {
  readonly #values: string[] = [];

  /** Returns the mark of a value. */
  readonly mark = (value: string): string => {
    // A value found around a mark includes the original value of that mark.
    const replaced = this.replace(value, (original) => original);
    return BEGIN + digits(this.#values.push(replaced) - 1) + END;
  };

  /** Replaces the marks in a string. */
  replace(text: string, by: (value: string) => string): string {
    if (!text.includes(BEGIN)) return text.replace(leftoverMarks, "");
    return text
      .replace(marks, (_, number: string) => {
        const value = this.#values[numberOf(number)];
        return value === undefined ? "" : by(value);
      })
      .replace(leftoverMarks, "");
  }

  clear(): void {
    this.#values.length = 0;
  }
}

const ZERO = 0xfdd0;
const BEGIN = "\uFDE0";
const END = "\uFDE1";
const marks = /\uFDE0([\uFDD0-\uFDDF]{1,8})\uFDE1/g;
/** Matches the rest of a mark if a redactor has removed or replaced a part of it. */
const leftoverMarks = /[\uFDD0-\uFDEF]/g;

const digits = (number: number): string =>
  Array.from(number.toString(16), (digit) => String.fromCharCode(ZERO + Number.parseInt(digit, 16))).join("");

const numberOf = (written: string): number =>
  Array.from(written).reduce((number, digit) => number * 16 + digit.charCodeAt(0) - ZERO, 0);
