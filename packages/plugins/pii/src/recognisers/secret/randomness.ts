import { isAlpha, isDigit } from "../../scan/characters.js";
import { entropy } from "./checks.js";

/** Shorter values are not told from names. */
export const shortestRandom = 16;
const shortestHex = 20;

/** `oauth2.rfc6749.tokens`, `TCA_FLOWER_KEY_L2TPV3`. */
const name = /^[a-z_]\w{0,15}(?:\.[A-Za-z_]\w{0,23})+$|^[A-Z][A-Z\d]{0,11}(?:_[A-Z\d]{1,12})+$/;
const version = /^v?\d+(?:\.\d+)+[+~-]/;

/** Whether nobody made this up: no name, no path, no words put together. */
export function isRandom(value: string, shortest = shortestRandom): boolean {
  if (value.length < shortest || !/^[\w+/.~%$!@#^*=-]+$/.test(value)) return false;
  if (/^[\da-f-]+$/i.test(value))
    return value.length >= shortestHex && /[a-f]/i.test(value) && /\d/.test(value) && entropy(value) >= 2.5;
  if (version.test(value) || name.test(value) || (value.length < shortestRandom && !/\d\D+\d/.test(value)))
    return false;
  if (entropy(value) < Math.min(3.3, 0.72 * Math.log2(value.length))) return false;
  return isJumbled(value) || (/\d\D+\d/.test(value) && !isWordy(value));
}

/** Whether somebody may have thought it up as a password: no date, version, path or name of a variable. */
export function isPassword(value: string): boolean {
  if (/pass(?:word|wd)|secret|token|key/i.test(value)) return false;
  return !/^\d{4}-\d\d-\d\d|^v?\d+\.\d+|\/|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value);
}

/** Whether a value is hardly anything but a password: letters, digits and other characters, mixed, and no address. */
export const isStrong = (value: string): boolean =>
  /[A-Za-z]/.test(value) &&
  /\d/.test(value) &&
  /[!@#$%^&*?~+]/.test(value) &&
  !/^[\w.+-]+@|^\d+[:.]\d|[/<>]|^[\w.]+[*+%]/.test(value);

/** Whether a value is `user:password` in base64. */
export function isBasic(value: string): boolean {
  try {
    return /^[ -~]*:[ -~]+$/.test(atob(value));
  } catch {
    return false;
  }
}

/** Upper case, lower case and digits change at every other character. */
export function isJumbled(value: string): boolean {
  let changes = 0;
  for (let at = 1; at < value.length; at++) {
    const [before, after] = [caseOf(value.charCodeAt(at - 1)), caseOf(value.charCodeAt(at))];
    if (before !== after && before > 0 && after > 0) changes++;
  }
  return changes >= value.length * (/\d/.test(value) ? 0.4 : 0.5);
}

function caseOf(code: number): number {
  if (isDigit(code)) return 3;
  if (!isAlpha(code)) return 0;
  return code >= 97 ? 1 : 2;
}

/** Every part is a word, a word with a number, or a number. */
const isWordy = (value: string): boolean =>
  value
    .split(/[-_./+=@#~]+|(?<=[a-z])(?=[A-Z])/)
    .every((part) => part === "" || /^(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,3}$|^v?\d{1,8}$/.test(part));
