/** Control characters, and characters that change the direction of the following text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters for a terminal: names come from models and users, and could move its cursor. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** Formats a duration: `0.4ms`, `12ms`, `1.9s`, `42s`, `3m 5s`. */
export function duration([seconds, nanoseconds]: readonly [number, number]): string {
  const ms = seconds * 1000 + nanoseconds / 1e6;
  if (ms < 10) return `${ms.toFixed(1)}ms`;
  if (ms < 100) return `${Math.round(ms)}ms`;
  const rounded = Math.round(seconds + nanoseconds / 1e9);
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  return rounded < 60 ? `${rounded}s` : `${Math.floor(rounded / 60)}m ${rounded % 60}s`;
}
