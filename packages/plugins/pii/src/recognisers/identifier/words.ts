/** The maximum number of units between a keyword and its value. */
const usual = 40;

/**
 * Creates a test that one of these words stands before a value, with no digit between them. `taxId` matches `tax id`.
 */
export function afterWords(words: readonly string[], near = usual): (before: string) => boolean {
  const alternatives = words.map((word) => word.replaceAll(/[.*+?^$(){}|[\]\\]/g, "\\$&").replaceAll(" ", "[ ._-]?"));
  const pattern = new RegExp(`(?:^|[^a-z])(?:${alternatives.join("|")})(?![a-z])[^0-9\\n]{0,${near}}$`, "u");
  return (before) => pattern.test(before.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}
