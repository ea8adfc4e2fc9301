import { BREAK, HIDDEN, isLetter, isWord, kinds } from "../../scan/characters.js";

/** Whether a part of a host may begin with it. */
export const isNamed = (code: number): boolean => isWord(code) || isLetter(code);

const HOST = 1;
/** A unit that may stand in an address: see `isAddress`. */
export const ADDRESS = 2;
/** A mark at which an address may end though it may stand in one. */
export const CLOSING = 4;
/** A quote that may stand around a name. */
export const QUOTE = 8;
/** A mark that makes the name behind it a part of something else. */
export const OPENING = 16;
/** A unit that may stand behind a host alone: a space, punctuation, a port, a path. */
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

/** The flags of a unit; none for what `charCodeAt` gives outside a text. */
export const rolesOf = (code: number): number => roles[code] ?? 0;

/** Whether a unit may stand in a host. */
export const isHost = (code: number): boolean => (rolesOf(code) & HOST) !== 0;

/**
 * Whether a unit may stand in an address; a backslash begins an escape of the text around it, a bar parts the cells of
 * a table.
 */
export const isAddress = (code: number): boolean => (rolesOf(code) & ADDRESS) !== 0;
