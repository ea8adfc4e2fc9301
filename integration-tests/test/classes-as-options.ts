/**
 * Returns an instance of a class with the same members: its methods and getters are on the prototype, and each throws if
 * it is called without its instance. `called` receives the names of the methods that were called on it.
 */
export function instanceOf<T extends object>(members: T, called: Set<string> = new Set()): T {
  class Members {
    readonly #members = members;
    static of(instance: Members): T {
      return instance.#members;
    }
  }
  const names = new Set([...Object.keys(members), ...Object.getOwnPropertyNames(Object.getPrototypeOf(members))]);
  for (const name of names) {
    if (name === "constructor" || Object.hasOwn(Object.prototype, name)) continue;
    const value: unknown = members[name as keyof T];
    Object.defineProperty(
      Members.prototype,
      name,
      typeof value === "function"
        ? {
            value(this: Members, ...given: unknown[]) {
              const of = Members.of(this);
              called.add(name);
              return value.apply(of, given);
            },
          }
        : { get: () => value },
    );
  }
  return new Members() as T;
}
