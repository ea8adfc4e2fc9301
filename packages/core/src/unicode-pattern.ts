/** An escape, with a hyphen after it; and a hyphen before an escape that stands for several characters. */
const strict = /\\(.)(-?)|-(?=\\[dsw])/gis;

/**
 * Rewrites an expression of a JSON Schema so that it compiles with the `u` flag, with which validators compile: schemas contain
 * `\:`, `\@` or `[\w-.]`, which JavaScript takes without that flag.
 *
 * @returns the expression itself if it compiles, or if it compiles in neither form.
 */
export function unicodePattern(pattern: string): string {
  if (compiles(pattern)) return pattern;
  const rewritten = pattern.replace(strict, (_, escaped = "-", hyphen = "") => {
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
