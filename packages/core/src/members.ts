/**
 * Returns the names of all members of an object: its own, and those that it has from its classes. A class that users write
 * has its methods and getters on the prototype, where `Object.keys` and a spread do not see them. The members of
 * `Object.prototype` and symbols are left out.
 */
export function memberNames(object: object): readonly string[] {
  const names = new Set(Object.getOwnPropertyNames(object));
  for (const level of prototypesOf(object)) {
    for (const name of Object.getOwnPropertyNames(level)) if (name !== "constructor") names.add(name);
  }
  return [...names];
}

/** Returns true if an object was made by a class, or has a prototype from one: it may have methods that only it calls itself. */
export const isOfClass = (object: object): boolean =>
  prototypesOf(object).some((level) => Object.hasOwn(level, "constructor"));

/**
 * Returns an object's members as a plain object, so that a spread or a destructured rest contains all of them. Methods are
 * bound to the object, with its private fields. A plain object is returned as it is.
 */
export function plainMembers<T extends object>(object: T): T {
  if (prototypesOf(object).length === 0) return object;
  const members = memberNames(object).map((name) => {
    const value = object[name as keyof T];
    return [name, typeof value === "function" ? value.bind(object) : value] as const;
  });
  return Object.fromEntries(members) as T;
}

/** The prototypes of an object, without `Object.prototype`, also that of another realm. */
function prototypesOf(object: object): readonly object[] {
  const found: object[] = [];
  let level: object | null = Object.getPrototypeOf(object);
  while (level !== null && !Object.hasOwn(level, "isPrototypeOf")) {
    found.push(level);
    level = Object.getPrototypeOf(level);
  }
  return found;
}
