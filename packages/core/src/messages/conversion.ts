/**
 * Remembers what objects were converted to, so that a long history is converted once and not once a round.
 *
 * Frameworks' message objects can be mutated, so that identity alone is not enough: what is remembered counts as long as
 * `watched` gives the same values (compared with `Object.is`).
 *
 * @param watched what the conversion reads, as a flat list: strings, numbers, and objects that are themselves never mutated.
 * @example
 * ```ts
 * const toMessage = rememberConversion(convert, (framework: FrameworkMessage) => [framework.role, framework.content]);
 * ```
 */
export function rememberConversion<From extends object, To>(
  convert: (from: From) => To,
  watched: (from: From) => readonly unknown[],
): (from: From) => To {
  const known = new WeakMap<From, { readonly seen: readonly unknown[]; readonly to: To }>();
  return (from) => {
    const seen = watched(from);
    const before = known.get(from);
    if (before?.seen.length === seen.length && before.seen.every((value, index) => Object.is(value, seen[index]))) {
      return before.to;
    }
    const to = convert(from);
    known.set(from, { seen, to });
    return to;
  };
}
