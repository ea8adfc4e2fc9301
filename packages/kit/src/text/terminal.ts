/**
 * Control characters, separators of lines, and characters that a person does not see, such as tags and fillers. A
 * variation selector after an emoji is not one.
 */
const unseen =
  /(?<!\p{Extended_Pictographic})\ufe0f|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/**
 * Escapes control, format and invisible characters as in JSON, so that a line cannot control a terminal, change its
 * text direction, or hide a part of itself.
 */
export const printable = (line: string): string => line.replace(unseen, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
