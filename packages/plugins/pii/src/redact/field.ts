/** The part of a field's name that counts, in UTF-16 units. */
export const longestField = 64;

/** Names of fields with free text. Any other name describes its value. */
const prose = new Set(
  "content text message body query question prompt input output answer reply response result comment note description".split(
    " ",
  ),
);

/**
 * Returns the text before a value in a field: the field's name, whose words are context. Returns `undefined` if the
 * value is free text.
 */
export const before = (field: unknown): string | undefined =>
  typeof field !== "string" ? "" : prose.has(field.toLowerCase()) ? undefined : field.slice(0, longestField);
