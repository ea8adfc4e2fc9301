/** Escapes, brackets, quantifiers and hyphens: the parts of an expression that the `u` flag reads more strictly. */
const tokens = /\\[\s\S]|\{\d+(?:,\d*)?\}|[[\]{}-]/g;

/** Escapes that the `u` flag takes outside of a class: of letters, digits, and of what has a meaning in expressions. */
const escapable = /[\w^$\\.*+?()[\]{}|/]/;

/** Escapes of a class that stand for several characters. */
const several = /^\\[dDsSwW]/;

/**
 * Rewrites an expression of a JSON Schema so that it compiles with the `u` flag, with which validators compile: schemas contain
 * `\:`, `\@`, `[\w-.]` or a single `{`, which JavaScript takes without that flag.
 *
 * @returns the expression itself if it compiles, or if it compiles in neither form.
 */
export function unicodePattern(pattern: string): string {
  if (compiles(pattern)) return pattern;
  let inClass = false;
  let afterSeveral = -1;
  const rewritten = pattern.replaceAll(tokens, (token, at: number) => {
    const end = at + token.length;
    if (token.startsWith("\\")) {
      if (inClass && several.test(token)) afterSeveral = end;
      const escaped = token.slice(1);
      return escapable.test(escaped) || (inClass && escaped === "-") ? token : escaped;
    }
    if (token === "[") {
      inClass = true;
      return token;
    }
    if (inClass) {
      if (token === "]") inClass = false;
      const literal = token === "-" && (at === afterSeveral || several.test(pattern.slice(end, end + 2)));
      return literal ? "\\-" : token;
    }
    return token === "-" || token.length > 1 ? token : `\\${token}`;
  });
  return compiles(rewritten) ? rewritten : pattern;
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
