import { type Plain, plain } from "./plain.js";

/** JSON text within a limit, and whether it says everything. */
export interface Fitted {
  readonly json: string;
  readonly complete: boolean;
}

/** The shortest that strings are cut to: long enough for the words that the schemas prescribe. */
const SHORTEST = 32;

/**
 * JSON of a value within `limit` characters: as it is where it fits, else with its long strings cut, as little as
 * halving tells, then with fewer values; undefined where even a few do not fit.
 */
export function fitJson(value: unknown, limit: number): Fitted | undefined {
  for (const most of [limit, limit / 8, limit / 64]) {
    const fitted = fitTree(plain(value, most), limit);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function fitTree({ value: tree, complete }: Plain, limit: number): Fitted | undefined {
  const json = JSON.stringify(tree);
  if (json.length <= limit) return { json, complete };
  // The structure itself may be too large: found out first, so that no large value is tried again and again.
  let best = JSON.stringify(shorten(tree, SHORTEST));
  if (best.length > limit) return undefined;
  for (let length = SHORTEST * 2; length < limit; length *= 2) {
    const longer = JSON.stringify(shorten(tree, length));
    if (longer.length > limit) break;
    best = longer;
  }
  return { json: best, complete: false };
}

function shorten(value: unknown, length: number): unknown {
  if (typeof value === "string") return cut(value, length);
  if (Array.isArray(value)) return value.map((item) => shorten(item, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, length)]));
}

/** The start of a text and an ellipsis, without half a character at its end. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 2 : length - 1)}…`;
}
