/**
 * Escapes control and format characters as in JSON, so that a line cannot control a terminal or change its text
 * direction.
 */
export const printable = (line: string): string => line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
