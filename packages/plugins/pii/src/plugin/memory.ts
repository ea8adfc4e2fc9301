import { Tally } from "../redact/tally.js";
import { contentsOf, hasContents } from "./contents.js";
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
