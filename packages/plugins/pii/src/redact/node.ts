import { isContent } from "./bytes.js";

/**
 * A node for one object in a value, with its members. Each member is read only once, since a getter may return another
 * value the next time.
 */
export class Node {
  readonly source: object;
  kind: "object" | "array" | "map" | "set" | "pairs" | "error" | "json" | "content" | "unreadable" = "object";
  /** Names of properties and keys of a Map, treated; of the others none. */
  keys: unknown[] = [];
  /** Treated leaves, and the nodes of objects. */
  readonly values: unknown[] = [];
  readonly parents: Node[] = [];
  changed = false;

  constructor(source: object) {
    this.source = source;
  }
}

/** Receives the members of a node while it is read. */
export interface Reader {
  key(key: unknown, node: Node): unknown;
  value(value: unknown, node: Node, field: unknown): unknown;
  /** Reads an object that `isContent`. */
  content(content: object, node: Node): unknown;
}

/** The mark in place of something that cannot be read: a getter or a proxy that throws. */
const unreadable = "[UNREADABLE]";
/** The minimum length of arrays that are read by their keys, since they may have holes. */
const sparse = 65_536;

/** Reads an object. Errors of getters and proxies are dropped. Errors of the reader are passed on. */
export function readNode(node: Node, reader: Reader): void {
  const raw = attempt(() => contents(node));
  if (raw === undefined) {
    node.kind = "unreadable";
    node.changed = true;
    node.values.push(unreadable);
    return;
  }
  const { keys, values } = raw;
  if (node.kind === "content") {
    node.values.push(reader.content(node.source, node));
    return;
  }
  for (let index = 0; index < values.length; index++) {
    const key = keys?.[index];
    const named = keys !== undefined && (node.kind !== "array" || isName(key));
    if (keys !== undefined) node.keys.push(named ? reader.key(key, node) : key);
    node.values.push(reader.value(values[index], node, named ? key : undefined));
  }
}

/** Returns true if the key of an array is not an index. */
const isName = (key: unknown): boolean => typeof key === "symbol" || (typeof key === "string" && !/^\d+$/.test(key));

interface Contents {
  readonly keys?: unknown[];
  readonly values: unknown[];
}

function contents(node: Node): Contents {
  const { source } = node;
  if (Array.isArray(source)) return elements(node, source);
  // Most objects are nothing special.
  if (Object.getPrototypeOf(source) !== Object.prototype) {
    const special = ofPlatform(node);
    if (special !== undefined) return special;
  }
  const json = (source as { toJSON?: unknown }).toJSON;
  if (typeof json === "function" && !(source instanceof Date)) {
    node.kind = "json";
    return { values: [json.call(source)] };
  }
  const keys: (string | symbol)[] = Object.keys(source);
  const symbols = Object.getOwnPropertySymbols(source);
  if (symbols.length > 0)
    keys.push(...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(source, key)));
  return properties(node, keys);
}

/** The contents of an object of the platform; undefined for one that holds its values in properties. */
function ofPlatform(node: Node): Contents | undefined {
  const { source } = node;
  if (isContent(source)) {
    node.kind = "content";
    return { values: [] };
  }
  if (source instanceof Map) {
    node.kind = "map";
    // A subclass may have changed the iterator, so it is not used.
    return { keys: [...Map.prototype.keys.call(source)], values: [...Map.prototype.values.call(source)] };
  }
  if (source instanceof Set) {
    node.kind = "set";
    return { values: [...Set.prototype.values.call(source)] };
  }
  if (isPairs(source)) {
    node.kind = "pairs";
    const pairs = [...source];
    return { keys: pairs.map(([name]) => name), values: pairs.map(([, value]) => value) };
  }
  const primitive = unboxed(source);
  if (primitive !== undefined) {
    node.kind = "json";
    return { values: [primitive] };
  }
  if (isError(source)) {
    node.kind = "error";
    return properties(node, [...new Set([...Reflect.ownKeys(source), ...ofErrors.filter((key) => key in source)])]);
  }
  return undefined;
}

/** The members of an error, including those that its class computes. */
const ofErrors = ["name", "message", "stack", "cause", "code"];

function elements(node: Node, source: readonly unknown[]): Contents {
  node.kind = "array";
  const names = Object.keys(source);
  if (names.length > source.length || source.length > sparse || isName(names.at(-1))) return properties(node, names);
  const values: unknown[] = [];
  let keys: number[] | undefined;
  for (let index = 0; index < source.length; index++) {
    if (index in source) {
      values.push(property(node, index));
      keys?.push(index);
    } else keys ??= Array.from(values.keys());
  }
  return keys === undefined ? { values } : { keys, values };
}

function properties(node: Node, keys: (string | symbol)[]): Contents {
  const values: unknown[] = [];
  for (const key of keys) values.push(property(node, key));
  return { keys, values };
}

/**
 * Reads a property. A computed property may return another value next time, so the object is then copied with the value
 * that was read.
 */
function property(node: Node, key: string | number | symbol): unknown {
  const { source } = node;
  try {
    const descriptor = Reflect.getOwnPropertyDescriptor(source, key);
    if (descriptor?.get !== undefined && node.kind !== "error") node.changed = true;
    return Reflect.get(source, key);
  } catch {
    node.changed = true;
    return unreadable;
  }
}

/** Returns true if a value is an error, also one of another realm. */
const isError = (value: object): boolean =>
  value instanceof Error || /^\[object (?:Error|DOMException)\]$/.test(Object.prototype.toString.call(value));

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Objects of the platform that hold names and values which are not properties. */
type Pairs = Headers | URLSearchParams | FormData;

/** Returns true if an object is one of the platform's lists of names and values. */
export const isPairs = (value: unknown): value is Pairs =>
  (typeof Headers === "function" && value instanceof Headers) ||
  (typeof URLSearchParams === "function" && value instanceof URLSearchParams) ||
  (typeof FormData === "function" && value instanceof FormData);

/** Returns an empty object of the same class. */
export function blankPairs(pairs: Pairs): Pairs {
  if (pairs instanceof URLSearchParams) return new URLSearchParams();
  return pairs instanceof Headers ? new Headers() : new FormData();
}

/** Adds a name and a value. Leaves out pairs that are invalid in a header. */
export function addPair(pairs: Pairs, name: unknown, value: unknown): void {
  try {
    if (pairs instanceof FormData && typeof value === "object") pairs.append(String(name), value as Blob);
    else pairs.append(String(name), String(value));
  } catch {
    if (pairs instanceof Headers) addHeader(pairs, name);
  }
}

function addHeader(headers: Headers, name: unknown): void {
  const cleaned = String(name).replaceAll(/[^\w-]/g, "");
  headers.append(cleaned === "" ? "redacted" : cleaned, "redacted");
}

/** Returns the primitive value of a `String`, `Number` or `BigInt` object, or `undefined` for any other object. */
function unboxed(value: object): unknown {
  if (value instanceof String) return String.prototype.valueOf.call(value);
  if (value instanceof Number) return Number.prototype.valueOf.call(value);
  return Object.prototype.toString.call(value) === "[object BigInt]" ? BigInt.prototype.valueOf.call(value) : undefined;
}
