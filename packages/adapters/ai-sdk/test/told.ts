/** The values of a result of `generateText`, or of a step: its getters' too. */
export function toldBy(result: object): Readonly<Record<string, unknown>> {
  const names = new Set<string>();
  for (let at: object | null = result; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  names.delete("constructor");
  return Object.fromEntries(
    [...names].map((name) => {
      try {
        return [name, (result as Record<string, unknown>)[name]];
      } catch (error) {
        return [name, error];
      }
    }),
  );
}
