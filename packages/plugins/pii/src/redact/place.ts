import { blocked, PiiError, type PiiPlace } from "../errors.js";
import type { Node } from "./node.js";

/** The position in a text that is read in chunks: line and column. */
export class Position {
  /** The line, from 1. */
  line: number;
  /** The column, from 1, in UTF-16 units. */
  column: number;

  constructor({ line = 1, column = 1 }: Partial<PiiPlace> = {}) {
    this.line = line;
    this.column = column;
  }

  read(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      this.line++;
      this.column = 1;
      from = at + 1;
    }
    this.column += text.length - from;
  }
}

/** Adds details of the place to the error of a blocked value. Returns every other error unchanged. */
export function placed(error: unknown, more: Partial<PiiPlace>): unknown {
  if (!PiiError.is(error) || error.code !== "ERR_PII_BLOCKED" || error.at === undefined) return error;
  return blocked(error.types, error.places, { ...error.at, ...more });
}

/** Names of fields longer than this are cut. */
const longestName = 64;
/** Deeper than this only the last fields are named. */
const deepest = 16;

/**
 * Returns the path to a part of a value, such as `messages[0].content`. Names with findings are shown as treated.
 *
 * @param last The field of the node that holds the part, or `undefined` if it is the node itself.
 */
export function pathOf(node: Node, last: unknown): string {
  const names: unknown[] = last === undefined ? [] : [last];
  for (let child = node; child.parents.length > 0 && names.length < deepest; ) {
    const [parent] = child.parents;
    if (parent === undefined) break;
    const index = parent.values.indexOf(child);
    if (parent.kind !== "json") names.push(nameOf(parent, index));
    child = parent;
  }
  return names.reverse().map(written).join("").replace(/^\./, "");
}

/** The treated name of a node's value, or its place in a list. */
export const nameOf = (node: Node, index: number): unknown => node.keys[index] ?? index;

function written(name: unknown): string {
  if (typeof name === "number") return `[${name}]`;
  return typeof name === "string" ? `.${name.slice(0, longestName)}` : ".{key}";
}
