import { isObject } from "@suite/kit";
import { PiiError } from "../errors.js";
import { treatContent } from "./bytes.js";
import { build } from "./copy.js";
import { before } from "./field.js";
import { Node, type Reader, readNode } from "./node.js";
import { nameOf, pathOf, placed } from "./place.js";

/** Treats one string. `before` is the text before it, or `undefined` if it stands alone. */
export type TreatText = (text: string, before?: string) => string;

/**
 * Returns the replacement for content that cannot be scanned: bytes that are not text, such as an image, or a `Blob`.
 */
export type TreatUnscannable = (content: object) => unknown;

/** The maximum number of objects in one value. A value with more is one that creates objects while it is read. */
const mostNodes = 500_000;

/**
 * Treats every string in a value, and every number that a rule matches. Includes object keys, Map, Set, bytes that are
 * text, errors and their causes. Works without recursion, so that depth does not matter. Cycles and shared objects are
 * kept. A part without changes is returned itself, not as a copy.
 */
export function treatValue(value: unknown, text: TreatText, unscannable: TreatUnscannable = itself): unknown {
  if (!isObject(value)) return treatLeaf(value, text, undefined);
  const walk = new Walk(text, unscannable);
  const root = walk.nodeOf(value);
  for (const node of walk.nodes) readNode(node, walk);
  return build(root, walk.changed());
}

/** The way through one value. */
class Walk implements Reader {
  readonly nodes: Node[] = [];
  readonly #known = new Map<object, Node>();
  readonly #text: TreatText;
  readonly #unscannable: TreatUnscannable;
  /** Field names without findings, with the text before their values. The same few names occur often. */
  readonly #names = new Map<unknown, string | undefined>();

  constructor(text: TreatText, unscannable: TreatUnscannable) {
    this.#text = text;
    this.#unscannable = unscannable;
  }

  key(key: unknown, node: Node): unknown {
    if (this.#names.has(key)) return key;
    const treated = isObject(key) ? this.#child(key, node) : this.#leaf(key, node, undefined, "{key}");
    if (typeof key === "string" && treated === key) this.#names.set(key, before(key));
    return treated;
  }

  value(value: unknown, node: Node, field: unknown): unknown {
    return isObject(value) ? this.#child(value, node) : this.#leaf(value, node, field);
  }

  content(content: object, node: Node): unknown {
    const number = (value: number | bigint): unknown => treatLeaf(value, this.#text, "");
    try {
      return this.#put(content, treatContent(content, this.#text, this.#unscannable, number), node);
    } catch (error) {
      throw placed(error, { path: pathOf(node, undefined) });
    }
  }

  #child(value: object, node: Node): Node {
    const child = this.nodeOf(value);
    child.parents.push(node);
    return child;
  }

  #leaf(value: unknown, node: Node, field: unknown, name?: string): unknown {
    try {
      return this.#put(value, treatLeaf(value, this.#text, this.#before(field)), node);
    } catch (error) {
      const field = node.kind === "json" ? undefined : nameOf(node, node.values.length);
      throw placed(error, { path: pathOf(node, name ?? field) });
    }
  }

  nodeOf(value: object): Node {
    let node = this.#known.get(value);
    if (node !== undefined) return node;
    if (this.nodes.length >= mostNodes) throw endless();
    node = new Node(value);
    this.#known.set(value, node);
    this.nodes.push(node);
    return node;
  }

  /** The nodes that must be copied: those with changes, and all nodes that contain them. */
  changed(): readonly Node[] {
    const changed = this.nodes.filter((node) => node.changed);
    for (const node of changed) {
      for (const parent of node.parents) {
        if (parent.changed) continue;
        parent.changed = true;
        changed.push(parent);
      }
    }
    return changed;
  }

  #put(value: unknown, treated: unknown, node: Node): unknown {
    if (treated !== value && !Object.is(treated, value)) node.changed = true;
    return treated;
  }

  #before(field: unknown): string | undefined {
    if (field === undefined) return "";
    const known = this.#names.get(field);
    return known !== undefined || this.#names.has(field) ? known : before(field);
  }
}

/** A value that holds nothing else, treated. */
function treatLeaf(value: unknown, text: TreatText, field: string | undefined): unknown {
  if (typeof value === "string") return text(value, field);
  return typeof value === "number" || typeof value === "bigint" ? treatNumber(value, text, field) : value;
}

/** A card number may come as a number. Short ones, and fractions, are nothing but numbers. */
function treatNumber(value: number | bigint, text: TreatText, field = ""): unknown {
  if (typeof value === "number" && !(Number.isSafeInteger(value) && Math.abs(value) > 999_999)) return value;
  const written = String(value);
  const treated = text(written, field);
  return treated === written ? value : treated;
}

const itself = (content: object): unknown => content;

const endless = (): PiiError =>
  new PiiError(
    "ERR_PII_DETECTION_FAILED",
    `The value contains more than ${mostNodes} objects, or creates objects while it is read.`,
  );
