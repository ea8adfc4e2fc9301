import { addPair, blankPairs, isPairs, Node } from "./node.js";

/**
 * Builds the treated value: copies the changed objects, and puts everything in its place again: leaves treated, the
 * rest by reference.
 */
export function build(root: Node, changed: readonly Node[]): unknown {
  const copies = new Map<Node, unknown>();
  for (const node of changed) if (!isStandIn(node)) copies.set(node, blank(node));
  const inPlace = (treated: unknown): unknown => {
    let at = treated;
    for (let steps = 0; at instanceof Node && isStandIn(at) && at.changed && steps < 100; steps++) at = at.values[0];
    if (!(at instanceof Node)) return at;
    return copies.has(at) ? copies.get(at) : at.source;
  };
  for (const [node, copy] of copies) fill(node, copy, inPlace);
  return inPlace(root);
}

/**
 * Returns true if a node is another form of a value (`toJSON`, treated bytes). It is used only if that form has
 * changed.
 */
const isStandIn = ({ kind }: Node): boolean => kind === "json" || kind === "content";

function blank({ kind, source, values }: Node): unknown {
  switch (kind) {
    case "array":
      return new Array((source as unknown[]).length);
    case "map":
      return new Map();
    case "set":
      return new Set();
    case "pairs":
      return isPairs(source) ? blankPairs(source) : {};
    case "unreadable":
      return values[0];
    case "error":
      return bare(source);
    default:
      return Object.create(Object.getPrototypeOf(source) as object | null);
  }
}

/** Creates a real error of the same class without own properties. */
function bare(source: object): object {
  const error = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(source) as object | null) as object;
  Reflect.deleteProperty(error, "stack");
  return error;
}

function fill({ kind, source, keys, values }: Node, copy: unknown, inPlace: (treated: unknown) => unknown): void {
  const names = new Names();
  for (const [index, treated] of values.entries()) {
    const value = inPlace(treated);
    if (isPairs(copy)) addPair(copy, inPlace(keys[index]), value);
    else if (copy instanceof Set) copy.add(value);
    else if (copy instanceof Map)
      copy.set(
        names.free(inPlace(keys[index]), (key) => copy.has(key)),
        value,
      );
    else if (kind !== "unreadable") {
      const name = names.free(keys[index] ?? index, (key) => Object.hasOwn(copy as object, key as PropertyKey));
      define(copy as object, name, value, kind !== "error" || isEnumerable(source, keys[index]));
    }
  }
}

/** Defines rather than assigns: `__proto__` is a name like any other. */
function define(copy: object, name: unknown, value: unknown, enumerable = true): void {
  Object.defineProperty(copy, name as PropertyKey, { value, enumerable, writable: true, configurable: true });
}

/** Returns true if a member is enumerable. A member that an error's class computes is not an own property. */
const isEnumerable = (source: object, key: unknown): boolean =>
  Object.prototype.propertyIsEnumerable.call(source, key as PropertyKey);

/** Two keys may become the same placeholder: the later one is numbered, so that nothing is lost. */
class Names {
  readonly #last = new Map<string, number>();

  free(key: unknown, isTaken: (key: unknown) => boolean): unknown {
    if (typeof key !== "string" || !isTaken(key)) return key;
    let number = this.#last.get(key) ?? 1;
    do number++;
    while (isTaken(`${key}_${number}`));
    this.#last.set(key, number);
    return `${key}_${number}`;
  }
}
