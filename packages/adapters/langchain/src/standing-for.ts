/**
 * Creates a proxy of an object with some replaced members. It is an instance of the same classes and shares its state.
 * Methods of the object see the replaced members through `this`.
 */
export function standingFor<T extends object>(target: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (_, name) =>
      typeof name === "string" && Object.hasOwn(members, name) ? members[name] : Reflect.get(target, name, target),
  });
}
