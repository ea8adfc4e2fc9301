/**
 * Matches syntax that the `u` flag may reject: an escape with an optional hyphen after it, or a hyphen before an escape
 * for several characters.
 */
const maybeInvalid = /\\(.)(-?)|-(?=\\[dsw])/gis;

/**
 * Rewrites an expression of a JSON Schema so that it compiles with the `u` flag, which validators use. Schemas contain
 * `\:`, `\@` or `[\w-.]`, which JavaScript accepts only without that flag.
 *
 * @returns the expression itself if it compiles, or if neither form compiles.
 */
export function unicodePattern(pattern: string): string {
  if (compiles(pattern)) return pattern;
  const rewritten = pattern.replace(maybeInvalid, (_, escaped = "-", hyphen = "") => {
    const first = escaped === "-" ? "\\x2d" : /[\w^$\\.*+?()[\]{}|/]/.test(escaped) ? `\\${escaped}` : escaped;
    return first + (hyphen && /[dsw]/i.test(escaped) ? "\\x2d" : hyphen);
  });
  return compiles(rewritten) ? rewritten : pattern;
}

function compiles(pattern: string): boolean {
  try {
    return !!new RegExp(pattern, "u");
  } catch {
    return false;
  }
}
