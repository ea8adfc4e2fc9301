/** One object in a value, with what was read of it. */
export interface Node {
  readonly source: object;
  kind: "object" | "array" | "map" | "set" | "error" | "json" | "unreadable";
  entries: Entry[];
  readonly parents: Node[];
  changed: boolean;
}

/** A treated leaf, or the object in its place. */
export type Slot = { readonly value: unknown } | { readonly node: Node };

export interface Entry {
  readonly key: Slot;
  readonly value: Slot;
  readonly enumerable: boolean;
}

type SlotOf = (child: unknown, parent: Node) => Slot;

/** What stands for something that cannot be read: a getter or a proxy that throws. */
const unreadable = "[UNREADABLE]";
/** Above this length an array is read by its own keys: it may have holes. */
const sparse = 65_536;

/** Reads an object once. Getters and proxies may throw; what `slotOf` throws passes. */
export function readNode(node: Node, slotOf: SlotOf): void {
  for (const [key, value, enumerable] of attempt(() => contents(node)) ?? [[undefined, unreadable, true] as const]) {
    if (value === unreadable && key === undefined) {
      node.kind = "unreadable";
      node.changed = true;
    }
    node.entries.push({ key: slotOf(key, node), value: slotOf(value, node), enumerable });
  }
}

type Content = readonly [key: unknown, value: unknown, enumerable: boolean];

function contents(node: Node): Content[] {
  const { source } = node;
  if (source instanceof Map) {
    node.kind = "map";
    return [...source].map(([key, value]) => [key, value, true]);
  }
  if (source instanceof Set) {
    node.kind = "set";
    return [...source].map((value) => [undefined, value, true]);
  }
  if (Array.isArray(source)) {
    node.kind = "array";
    const keys = source.length <= sparse ? [...source.keys()].filter((index) => index in source) : Object.keys(source);
    return keys.map((key) => property(node, key, true));
  }
  if (isError(source)) {
    node.kind = "error";
    const keys = new Set<string | symbol>([
      ...Reflect.ownKeys(source),
      ...["message", "stack", "cause"].filter((key) => key in source),
    ]);
    return [...keys].map((key) => property(node, key, Object.prototype.propertyIsEnumerable.call(source, key)));
  }
  const json = (source as { toJSON?: unknown }).toJSON;
  if (typeof json === "function" && !(source instanceof Date)) {
    node.kind = "json";
    return [[undefined, json.call(source), true]];
  }
  const keys = Reflect.ownKeys(source).filter((key) => Object.prototype.propertyIsEnumerable.call(source, key));
  return keys.map((key) => property(node, key, true));
}

/** A property that computes its value may give another one next time: the object is copied, with what was read. */
function property(node: Node, key: string | number | symbol, enumerable: boolean): Content {
  const { source } = node;
  const descriptor = Reflect.getOwnPropertyDescriptor(source, key);
  if (descriptor?.get !== undefined && node.kind !== "error") node.changed = true;
  const read = attempt(() => ({ value: Reflect.get(source, key) as unknown }));
  if (read === undefined) node.changed = true;
  return [key, read === undefined ? unreadable : read.value, enumerable];
}

const isError = (value: object): boolean =>
  value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
