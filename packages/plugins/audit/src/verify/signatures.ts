import { type Opened, openCheckpoint } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import type { PublicKey } from "../signing/key.js";

/** Opens the checkpoints of one file, in order. */
export interface Signatures {
  open(note: string): Promise<Opened>;
}

/** Verifies each signature before the next line is read: slow, but exact about the damage. */
export const eachSignature = (keys: readonly PublicKey[], cryptography: Cryptography): Signatures => ({
  open: (note) => openCheckpoint(note, keys, cryptography),
});

/** The number of signatures in a batch. One batch is verified while the next is collected. */
const BATCH = 64;

type VerifyArguments = Parameters<Cryptography["verify"]>;

/**
 * Treats signatures as valid while a file is read, and verifies them in the meantime. A checkpoint whose hash the next
 * one contains is covered by the next signature. So of a sequence by one key only the last signature is verified,
 * unless `every` is set. The reader compares the hashes with the lines. If one does not match, or `hold` returns false,
 * the result must be discarded, and the file be read again with `eachSignature`.
 */
export class DeferredSignatures implements Signatures {
  readonly #keys: readonly PublicKey[];
  readonly #cryptography: Cryptography;
  readonly #every: boolean;
  readonly #verify: Cryptography["verify"];
  /** The signature of the last checkpoint, which no other covers yet, and its key. */
  #last: VerifyArguments | undefined;
  #key: PublicKey | undefined;
  #pending: VerifyArguments | undefined;
  #batch: Promise<void>[] = [];
  #before: Promise<unknown> | undefined;
  #valid = true;
  #failure: { readonly error: unknown } | undefined;

  constructor(keys: readonly PublicKey[], cryptography: Cryptography, every: boolean) {
    this.#keys = keys;
    const noted = (...args: VerifyArguments) => {
      this.#pending = args;
      return true;
    };
    this.#cryptography = { ...cryptography, verify: noted };
    this.#verify = (cryptography.verifyAside ?? cryptography.verify).bind(cryptography);
    this.#every = every;
  }

  async open(note: string): Promise<Opened> {
    const opened = await openCheckpoint(note, this.#keys, this.#cryptography);
    if (opened.status !== "signed") return opened;
    const before = this.#last;
    // A key cannot cover another: a revoked key could otherwise confirm signatures of a valid one.
    const covered = !this.#every && opened.checkpoint.previous !== undefined && opened.key === this.#key;
    this.#last = this.#pending;
    this.#key = opened.key;
    if (before && !covered) await this.#check(before);
    return opened;
  }

  /** Returns true if all signatures treated as valid are valid. Called after the last line. */
  async hold(): Promise<boolean> {
    if (this.#last) await this.#check(this.#last);
    await this.#before;
    await Promise.all(this.#batch);
    if (this.#failure) throw this.#failure.error;
    return this.#valid;
  }

  /** Waits so that at most two batches are pending. */
  async #check(args: VerifyArguments): Promise<void> {
    this.#batch.push(this.#run(args));
    if (this.#batch.length < BATCH) return;
    const { before, batch } = { before: this.#before, batch: this.#batch };
    this.#before = Promise.all(batch);
    this.#batch = [];
    await before;
  }

  async #run(args: VerifyArguments): Promise<void> {
    try {
      if (!(await this.#verify(...args))) this.#valid = false;
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
