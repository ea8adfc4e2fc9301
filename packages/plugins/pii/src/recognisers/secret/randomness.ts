import { isAlpha, isDigit, isHex } from "../../scan/characters.js";
import { entropy } from "./checks.js";

/** Shorter values cannot be distinguished from names. */
export const shortestRandom = 16;
/** The number of characters that hexadecimal values have more, since each says less. */
const moreHex = 4;

/** `oauth2.rfc6749.tokens`, `TCA_FLOWER_KEY_L2TPV3`. */
const name = /^[a-z_]\w{0,15}(?:\.[A-Za-z_]\w{0,23})+$|^[A-Z][A-Z\d]{0,11}(?:_[A-Z\d]{1,12})+$/;
const version = /^v?\d+(?:\.\d+)+[+~-]/;

/**
 * The characters of random values: 1 for letters that are digits of base 16, 2 for digits, 4 for other letters, 8 for
 * marks, 16 for hyphens.
 */
const roles = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (isDigit(code)) roles[code] = 2;
  else if (isAlpha(code)) roles[code] = isHex(code) ? 1 : 4;
  else if ("_+/.~%$!@#^*=-".includes(String.fromCharCode(code))) roles[code] = code === 45 ? 16 : 8;
}

/**
 * Returns true if a value is random: not a name, a path or joined words.
 *
 * @param shortest The minimum length. Hexadecimal values have four characters more.
 */
export function isRandom(value: string, shortest = shortestRandom): boolean {
  const { length } = value;
  if (length < shortest) return false;
  let roleSet = 0;
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at);
    const role = code < 128 ? (roles[code] ?? 0) : 0;
    if (role === 0) return false;
    roleSet |= role;
  }
  // Digits of base 16, and hyphens.
  if ((roleSet & 12) === 0) return length >= shortest + moreHex && (roleSet & 3) === 3 && entropy(value) >= 2.5;
  const jumbled = isJumbled(value);
  const parted = (roleSet & 2) !== 0 && /\d\D+\d/.test(value);
  if (!parted && (!jumbled || length < shortestRandom)) return false;
  if (version.test(value) || name.test(value)) return false;
  if (entropy(value) < Math.min(3.3, 0.72 * Math.log2(length))) return false;
  return jumbled || !isWordy(value);
}

/** Returns `true` if a person may have chosen the value as a password: no date, version, path or name of a variable. */
export function isPassword(value: string): boolean {
  return !isVariable(value) && !/^\d{4}-\d\d-\d\d|^v?\d+\.\d+|\/|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value);
}

/**
 * The words of a name that refers to a secret: `user_password_2`, `getToken1`. Not those in `Hockey2020`, `Monkey123`.
 */
const ofSecret = /^(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)s?\d*$/i;

/** `HIDDEN_FOR_SECURITY_REASONS`: the name of a constant. */
const constant = /^[A-Z]{2,}(?:_[A-Z]{2,})+$/;

function isVariable(value: string): boolean {
  if (constant.test(value)) return true;
  return /^[\w$.-]+$/.test(value) && value.split(/[-_$.]|(?<=[a-z\d])(?=[A-Z])/).some((word) => ofSecret.test(word));
}

/**
 * Returns true if a value is most likely a password: mixed letters, digits and other characters, and not an address.
 */
export const isStrong = (value: string): boolean =>
  /[A-Za-z]/.test(value) &&
  /\d/.test(value) &&
  /[!@#$%^&*?~+]/.test(value) &&
  !/^[\w.+-]+@|^\d+[:.]\d|[/<>]|^[\w.]+[*+%]/.test(value);

/** Returns true if a value has the length of an AES key (FIPS 197) in hexadecimal digits. */
export const isCipherKey = (value: string): boolean => /^(?:[\da-f]{32}|[\da-f]{48}|[\da-f]{64})$/i.test(value);

/** Returns true if a value is `user:password` in base64. */
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
  let digits = false;
  let before = 0;
  for (let at = 0; at < value.length; at++) {
    const after = caseOf(value.charCodeAt(at));
    if (before !== after && before > 0 && after > 0) changes++;
    digits ||= after === 3;
    before = after;
  }
  return changes >= value.length * (digits ? 0.4 : 0.5);
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
