import { BREAK, HIDDEN, isLetter, isWord, kinds } from "../../scan/characters.js";

/** With what a part of a host begins. */
export const isNamed = (code: number): boolean => isWord(code) || isLetter(code);

/** What may stand in a host. */
export const isHost = (code: number): boolean => isNamed(code) || code === 46 || code === 45 || code === 95;

/** What may stand in an address; a backslash begins an escape of the text around it, a bar parts the cells of a table. */
export const isAddress = (code: number): boolean =>
  ((kinds[code] ?? 0) & (BREAK | HIDDEN)) === 0 && code < 0xd800 && code !== 92 && code !== 124;
