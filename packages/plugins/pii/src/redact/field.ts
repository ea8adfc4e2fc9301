/** The part of a field's name that counts, in UTF-16 units. */
export const longestField = 64;

/** Names of fields that hold what somebody wrote. Of other fields the name says what the value is. */
const prose = new Set(
  "content text message body query question prompt input output answer reply response result comment note description".split(
    " ",
  ),
);

/**
 * The text before a value in a field: the field's name, whose words are context. Undefined where the value is a text
 * of its own.
 */
export const before = (field: unknown): string | undefined =>
  typeof field !== "string" ? "" : prose.has(field.toLowerCase()) ? undefined : field.slice(0, longestField);
