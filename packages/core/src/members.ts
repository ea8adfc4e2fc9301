/**
 * Returns the names of all members of an object, including inherited ones. A user's class has its methods and getters
 * on the prototype, which `Object.keys` and a spread do not include. Members of `Object.prototype` and symbols are left
 * out.
 */
export function memberNames(object: object): readonly string[] {
  const names = new Set(Object.getOwnPropertyNames(object));
  for (const level of prototypesOf(object)) {
    for (const name of Object.getOwnPropertyNames(level)) if (name !== "constructor") names.add(name);
  }
  return [...names];
}

/** True if an object is an instance of a class, or inherits from one. It may have methods that only its class calls. */
export const isOfClass = (object: object): boolean =>
  prototypesOf(object).some((level) => Object.hasOwn(level, "constructor"));

/**
 * Returns an object's members as a plain object, so that a spread or a destructured rest contains all of them. Methods
 * are bound to the object, so that private fields work. A plain object is returned unchanged.
 */
export function plainMembers<T extends object>(object: T): T {
  if (prototypesOf(object).length === 0) return object;
  const members = memberNames(object).map((name) => {
    const value = object[name as keyof T];
    return [name, typeof value === "function" ? value.bind(object) : value] as const;
  });
  return Object.fromEntries(members) as T;
}

/** Returns the prototypes of an object without `Object.prototype`, also that of another realm. */
function prototypesOf(object: object): readonly object[] {
  const found: object[] = [];
  let level: object | null = Object.getPrototypeOf(object);
  while (level !== null && !Object.hasOwn(level, "isPrototypeOf")) {
    found.push(level);
    level = Object.getPrototypeOf(level);
  }
  return found;
}
