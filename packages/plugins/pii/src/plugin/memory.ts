import { Tally } from "../redact/tally.js";
import { computes } from "../redact/telemetry.js";
import type { RunTokens, Witness } from "./run-tokens.js";

interface Remembered {
  readonly contents: readonly unknown[];
  readonly result: unknown;
  readonly tally: Tally;
  /** The session whose tokens the result may hold. */
  readonly session: string | undefined;
  readonly witness: Witness;
}

/** One lookup in the memory, for one request. */
export class Lookup {
  /** The session whose tokens are made. */
  readonly session: string | undefined;
  /** The state by which the tokens of the session are told, once one of them was seen to stand for something. */
  standing: string | undefined;

  /**
   * @param tally what is found.
   * @param trial it is only collected what will be asked for: what comes out is not meant.
   */
  constructor(
    readonly tally: Tally,
    readonly own: RunTokens | undefined,
    readonly trial: boolean,
  ) {
    this.session = own?.view;
  }
}

/**
 * The memory of what became of messages and of tools' definitions, so that an agent's next turn costs its new text and not its history.
 * Held as long as they are, and used only while they still hold the very same contents, and their tokens still stand for
 * something.
 */
export class Memory {
  readonly #remembered = new WeakMap<object, Remembered>();

  /**
   * The result that is remembered of it; that of `treat` where none is.
   *
   * @param read what of it is read.
   */
  recall<T extends object>(owner: T, read: unknown, look: Lookup, treat: (found: Tally) => T): T {
    const { tally, own, trial } = look;
    const known = this.#remembered.get(owner);
    if (known !== undefined && hasContents(read, known.contents) && this.#stands(known, look)) {
      if (known.tally.notes > 0) tally.merge(known.tally);
      return known.result as T;
    }
    const contents = contentsOf(read);
    const found = new Tally();
    own?.forgetWitness();
    const result = treat(found);
    tally.merge(found);
    const meant = !trial && own?.trial !== true;
    // What a recogniser failed on is looked through again.
    if (contents !== undefined && meant && found.ignored.length === 0) {
      this.#remembered.set(owner, { contents, result, tally: found, session: look.session, witness: own?.witness });
    }
    return result;
  }

  /** Tokens of a session stand for something as long as one of them does, so that one is enough for a whole request. */
  #stands({ session, witness }: Remembered, look: Lookup): boolean {
    const { own } = look;
    if (session !== look.session) return false;
    if (witness === undefined || witness.tag === look.standing) return true;
    if (own?.knows(witness) !== true) return false;
    look.standing = witness.tag;
    return true;
  }
}

/** Marks by which lists and objects are told from leaves. */
const list = Symbol("list");
const record = Symbol("record");

/** The most that is compared. What holds more, or is deeper, is looked through again. */
const most = 20_000;
const deepest = 100;

/**
 * The contents of a value: every name and every leaf, in order, by which it is seen whether it still is the same. Undefined where
 * something is not plain data: that may say another thing each time.
 */
function contentsOf(value: unknown): readonly unknown[] | undefined {
  const contents: unknown[] = [];
  try {
    return note(value, contents, 0) ? contents : undefined;
  } catch {
    return undefined; // a proxy that throws
  }
}

function note(value: unknown, contents: unknown[], depth: number): boolean {
  if (typeof value !== "object" || value === null) return contents.push(value) > 0;
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  if (depth > deepest || contents.length > most || !isPlain(value) || (isList && keys.length !== value.length))
    return false;
  contents.push(isList ? list : record, keys.length);
  if (!isList) contents.push(Object.getPrototypeOf(value));
  for (const key of keys) {
    if (computes(value, key)) return false;
    if (!isList) contents.push(key);
    if (!note((value as Readonly<Record<string, unknown>>)[key], contents, depth + 1)) return false;
  }
  return true;
}

function isPlain(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value has just these contents. Done for a whole history on each turn, so without a list of its own. */
function hasContents(value: unknown, contents: readonly unknown[]): boolean {
  try {
    return compare(value, contents, 0) === contents.length;
  } catch {
    return false;
  }
}

/** The end in the contents of the value that begins at `at`; -1 where it is another one. */
function compare(value: unknown, contents: readonly unknown[], at: number): number {
  if (typeof value !== "object" || value === null) return Object.is(value, contents[at]) ? at + 1 : -1;
  if (Array.isArray(value)) {
    let next = at + 2;
    if (contents[at] !== list || contents[at + 1] !== value.length) return -1;
    for (let index = 0; index < value.length && next > 0; index++) next = compare(value[index], contents, next);
    return next;
  }
  if (contents[at] !== record || contents[at + 2] !== Object.getPrototypeOf(value)) return -1;
  let next = at + 3;
  let count = 0;
  // Makes no list of the keys. What a prototype adds is no content: it is looked through again then.
  for (const key in value) {
    if (contents[next] !== key) return -1;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "string") next = item === contents[next + 1] ? next + 2 : -1;
    else next = compare(item, contents, next + 1);
    if (next < 0) return -1;
    count++;
  }
  return contents[at + 1] === count ? next : -1;
}
