import type { Entry, Node, Slot } from "./node.js";

/** Copies the changed objects, and puts everything in its place again: leaves treated, the rest by reference. */
export function build(root: Slot, changed: readonly Node[]): unknown {
  const copies = new Map<Node, unknown>();
  for (const node of changed) if (node.kind !== "json") copies.set(node, blank(node));
  const inPlace = (slot: Slot): unknown => {
    let at = slot;
    // What stands for itself in another form (`toJSON`) stands for it only where that form has changed.
    for (let steps = 0; "node" in at && at.node.kind === "json" && at.node.changed && steps < 100; steps++) {
      at = at.node.entries[0]?.value ?? { value: undefined };
    }
    if (!("node" in at)) return at.value;
    return copies.has(at.node) ? copies.get(at.node) : at.node.source;
  };
  for (const [node, copy] of copies) fill(node, copy, inPlace);
  return inPlace(root);
}

function blank(node: Node): unknown {
  switch (node.kind) {
    case "array":
      return new Array((node.source as unknown[]).length);
    case "map":
      return new Map();
    case "set":
      return new Set();
    case "unreadable":
      return node.entries[0] && "value" in node.entries[0].value ? node.entries[0].value.value : undefined;
    default:
      return Object.create(Object.getPrototypeOf(node.source) as object | null);
  }
}

function fill(node: Node, copy: unknown, inPlace: (slot: Slot) => unknown): void {
  for (const entry of node.entries) {
    const value = inPlace(entry.value);
    if (copy instanceof Map)
      copy.set(
        free(inPlace(entry.key), (key) => copy.has(key)),
        value,
      );
    else if (copy instanceof Set) copy.add(value);
    else if (typeof copy === "object" && copy !== null) define(copy, entry, inPlace(entry.key), value);
  }
}

/** Defines rather than assigns: `__proto__` is a name like any other. */
function define(copy: object, { enumerable }: Entry, key: unknown, value: unknown): void {
  const name = typeof key === "symbol" ? key : free(String(key), (taken) => Object.hasOwn(copy, taken));
  Object.defineProperty(copy, name as PropertyKey, { value, enumerable, writable: true, configurable: true });
}

/** Two keys may become the same placeholder: the later one is numbered, so that nothing is lost. */
function free<T>(key: T, taken: (key: T & PropertyKey) => boolean): T {
  if (typeof key !== "string" || !taken(key as T & PropertyKey)) return key;
  let number = 2;
  while (taken(`${key}_${number}` as T & PropertyKey)) number++;
  return `${key}_${number}` as T;
}
