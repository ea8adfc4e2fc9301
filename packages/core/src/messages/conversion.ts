/**
 * Caches the conversion of objects, so that a long history is converted once and not once per round.
 *
 * Message objects of frameworks can be mutated, so identity is not enough: a cached result is used only while `watched`
 * returns the same values (compared with `Object.is`).
 *
 * @param watched returns the inputs of the conversion as a flat list: strings, numbers, and objects that are never
 * mutated.
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
