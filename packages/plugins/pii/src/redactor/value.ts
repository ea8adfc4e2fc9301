import { PiiError } from "../errors.js";
import { build } from "./copy.js";
import { type Node, readNode, type Slot } from "./node.js";

/** More objects than this in one value is a structure that makes itself as it is read. */
const mostNodes = 500_000;

/**
 * Treats every string in a value, and every number that a rule matches; object keys, Map, Set, errors and what they
 * were caused by included. Without recursion, so that depth does not matter; cycles and sharing stay as they are. What
 * holds nothing to change is given back itself, not a copy.
 */
export function treatValue(value: unknown, redact: (text: string) => string): unknown {
  const leaf = treatLeaf(value, redact);
  if (leaf !== undefined) return leaf.value;

  const nodes = new Map<object, Node>();
  const queue: Node[] = [];
  const slotOf = (child: unknown, parent?: Node): Slot => {
    const treated = treatLeaf(child, redact);
    if (treated !== undefined) {
      if (parent !== undefined && treated.value !== child && !Object.is(treated.value, child)) parent.changed = true;
      return treated;
    }
    let node = nodes.get(child as object);
    if (node === undefined) {
      if (nodes.size >= mostNodes) {
        throw new PiiError(
          "ERR_PII_DETECTION_FAILED",
          `The value holds more than ${mostNodes} objects, or makes them while it is read.`,
        );
      }
      node = { source: child as object, kind: "object", entries: [], parents: [], changed: false };
      nodes.set(node.source, node);
      queue.push(node);
    }
    if (parent !== undefined) node.parents.push(parent);
    return { node };
  };

  const root = slotOf(value);
  for (const node of queue) readNode(node, slotOf);
  const changed = queue.filter((node) => node.changed);
  for (const node of changed) {
    for (const parent of node.parents) {
      if (parent.changed) continue;
      parent.changed = true;
      changed.push(parent);
    }
  }
  return build(root, changed);
}

/** The treated form of what holds nothing else; undefined for what does. */
function treatLeaf(value: unknown, redact: (text: string) => string): { readonly value: unknown } | undefined {
  if (typeof value === "string") return { value: redact(value) };
  if (typeof value === "number" || typeof value === "bigint") return { value: treatNumber(value, redact) };
  if (typeof value !== "object" || value === null || isOpaque(value)) return { value };
  return undefined;
}

/** A card number may come as a number. Short ones, and fractions, are nothing but numbers. */
function treatNumber(value: number | bigint, redact: (text: string) => string): unknown {
  if (typeof value === "number" && !(Number.isSafeInteger(value) && Math.abs(value) > 999_999)) return value;
  const text = String(value);
  const treated = redact(text);
  return treated === text ? value : treated;
}

/** Bytes are not text. */
const isOpaque = (value: object): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
