import { BREAK, HIDDEN, isLetter, isWord, kinds } from "../../scan/characters.js";

/** A unit that may begin a part of a host. */
export const isNamed = (code: number): boolean => isWord(code) || isLetter(code);

const HOST = 1;
/** A unit that can be part of an address. See `isAddress`. */
export const ADDRESS = 2;
/** A mark that can end an address, although an address can contain it. */
export const CLOSING = 4;
/** A quote that may stand around a name. */
export const QUOTE = 8;
/** A mark that makes the name after it a part of something else. */
export const OPENING = 16;
/** A unit that can follow a host without a path: a space, punctuation, a port, a path. */
export const FOLLOWING = 32;

const isOneOf = (code: number, marks: string): boolean => code < 128 && marks.includes(String.fromCharCode(code));

const isAddressUnit = (code: number): boolean =>
  ((kinds[code] ?? 0) & (BREAK | HIDDEN)) === 0 && code < 0xd800 && code !== 92 && code !== 124;

/**
 * The roles of each unit in an address, as a set of the flags above: one look instead of many where names and paths are
 * read.
 */
const roles = Uint8Array.from(
  kinds,
  (_, code) =>
    (isNamed(code) || code === 46 || code === 45 || code === 95 ? HOST : 0) |
    (isAddressUnit(code) ? ADDRESS : 0) |
    (isOneOf(code, ",;'&()[]{}") ? CLOSING : 0) |
    (isOneOf(code, "\"'`") ? QUOTE : 0) |
    (isOneOf(code, "@/\\$#&%+^?") ? OPENING : 0) |
    (((kinds[code] ?? 0) & BREAK) !== 0 || code >= 0xd800 || isOneOf(code, ".,:;!?)[]}'|*_~&\\/#") ? FOLLOWING : 0),
);

/** Returns the flags of a unit, or none for `NaN`. */
export const rolesOf = (code: number): number => roles[code] ?? 0;

/** Returns true if a unit can be part of a host. */
export const isHost = (code: number): boolean => (rolesOf(code) & HOST) !== 0;

/**
 * Returns true if a unit can be part of an address. A backslash begins an escape of the surrounding text, and a bar
 * separates the cells of a table.
 */
export const isAddress = (code: number): boolean => (rolesOf(code) & ADDRESS) !== 0;
