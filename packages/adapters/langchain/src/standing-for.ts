/**
 * A stand-in for an object, the same to all who look at it but for these members: an instance of its classes, with what it keeps and what is
 * set on it. Its own methods reach the members by `this`, so that whatever they are made of goes through them.
 */
export function standingFor<T extends object>(target: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (_, name) =>
      typeof name === "string" && Object.hasOwn(members, name) ? members[name] : Reflect.get(target, name, target),
  });
}
