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
  /** The tag of a token of the session that was found to be valid. The other tokens are valid too. */
  validTag: string | undefined;

  /** @param tally Receives the findings. */
  constructor(
    readonly tally: Tally,
    readonly runTokens: RunTokens | undefined,
  ) {
    this.session = runTokens?.view;
  }
}

/**
 * Caches the results for messages and tool definitions, so that an agent's next turn only costs its new text and not
 * its history. An entry lives as long as its object. It is used only if the object's contents are unchanged and its
 * tokens still have values.
 */
export class Memory {
  readonly #remembered = new WeakMap<object, Remembered>();

  /**
   * Returns the cached result of an object, or the result of `treat`.
   *
   * @param read the parts of the object that are read
   */
  recall<T extends object>(owner: T, read: unknown, lookup: Lookup, treat: (found: Tally) => T): T {
    const { tally, runTokens } = lookup;
    const known = this.#remembered.get(owner);
    if (known !== undefined && hasContents(read, known.contents) && this.#isValid(known, lookup)) {
      if (known.tally.notes > 0) tally.merge(known.tally);
      return known.result as T;
    }
    const contents = contentsOf(read);
    const found = new Tally();
    runTokens?.forgetWitness();
    const result = treat(found);
    tally.merge(found);
    // If a recogniser failed or was not called yet, the result is not cached, so that the content is checked again.
    if (contents !== undefined && runTokens?.collects !== true && found.ignored.length === 0) {
      this.#remembered.set(owner, {
        contents,
        result,
        tally: found,
        session: lookup.session,
        witness: runTokens?.witness,
      });
    }
    return result;
  }

  /** All tokens of a session are valid as long as one is, so one check covers a whole request. */
  #isValid({ session, witness }: Remembered, lookup: Lookup): boolean {
    const { runTokens } = lookup;
    if (session !== lookup.session) return false;
    if (witness === undefined || witness.tag === lookup.validTag) return true;
    if (runTokens?.knows(witness) !== true) return false;
    lookup.validTag = witness.tag;
    return true;
  }
}

/** Marks that distinguish lists and objects from leaves. */
const list = Symbol("list");
const record = Symbol("record");

/** The most that is compared. What holds more, or is deeper, is looked through again. */
const most = 20_000;
const deepest = 100;

/**
 * Returns the contents of a value: every name and every leaf, in order, to detect changes. Returns `undefined` if a
 * part is not plain data, because it may return something else each time.
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

/**
 * Returns true if a value has exactly these contents. Runs for the whole history in each turn, so it builds no list.
 */
function hasContents(value: unknown, contents: readonly unknown[]): boolean {
  try {
    return compare(value, contents, 0) === contents.length;
  } catch {
    return false;
  }
}

/** Returns the index after the contents of the value that begins at `at`, or -1 if it differs. */
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
  // Avoids a list of keys. Inherited keys count as a difference, so the value is checked again.
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
