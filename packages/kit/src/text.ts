/** Strings that are safe to print, and strings without invisible characters. */
export { isInvisible, withoutUnseen } from "./text/characters.js";
export { printable } from "./text/terminal.js";
