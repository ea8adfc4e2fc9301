import { type Opened, openCheckpoint } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import type { PublicKey } from "../signing/key.js";

/** Opens the checkpoints of one file, in their order. */
export interface Signatures {
  open(note: string): Promise<Opened>;
}

/** Each signature verified before what stands behind it is read: slow, and exact about what is wrong. */
export const eachSignature = (keys: readonly PublicKey[], cryptography: Cryptography): Signatures => ({
  open: (note) => openCheckpoint(note, keys, cryptography),
});

/** The number of signatures that are verified at a time; as many wait. */
const BATCH = 64;

type Asked = Parameters<Cryptography["verify"]>;

/**
 * Signatures that are taken for valid while a file is read, and verified meanwhile. A checkpoint that the next one names, by
 * the hash of its line, is covered by the signature of that one: of such a row by one key, only the last is verified, unless
 * `every` is asked for. Whoever reads holds the hashes against the lines. Where one does not fit, or `hold` says no, what was read is
 * nobody's word, and the file must be read by `eachSignature`.
 */
export class DeferredSignatures implements Signatures {
  readonly #keys: readonly PublicKey[];
  readonly #cryptography: Cryptography;
  readonly #every: boolean;
  readonly #verify: Cryptography["verify"];
  /** The signature of the last checkpoint, which nothing covers yet, and whose it is. */
  #last: Asked | undefined;
  #key: PublicKey | undefined;
  #asked: Asked | undefined;
  #batch: Promise<void>[] = [];
  #before: Promise<unknown> | undefined;
  #valid = true;
  #failure: { readonly error: unknown } | undefined;

  constructor(keys: readonly PublicKey[], cryptography: Cryptography, every: boolean) {
    this.#keys = keys;
    const noted = (...asked: Asked) => {
      this.#asked = asked;
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
    // No key speaks for another: one that was revoked could say what a good one has signed.
    const covered = !this.#every && opened.checkpoint.previous !== undefined && opened.key === this.#key;
    this.#last = this.#asked;
    this.#key = opened.key;
    if (before && !covered) await this.#check(before);
    return opened;
  }

  /** Whether all that were taken for valid are. After the last line. */
  async hold(): Promise<boolean> {
    if (this.#last) await this.#check(this.#last);
    await this.#before;
    await Promise.all(this.#batch);
    if (this.#failure) throw this.#failure.error;
    return this.#valid;
  }

  /** Waits, so that no more than two batches are under way. */
  async #check(asked: Asked): Promise<void> {
    this.#batch.push(this.#run(asked));
    if (this.#batch.length < BATCH) return;
    const { before, batch } = { before: this.#before, batch: this.#batch };
    this.#before = Promise.all(batch);
    this.#batch = [];
    await before;
  }

  async #run(asked: Asked): Promise<void> {
    try {
      if (!(await this.#verify(...asked))) this.#valid = false;
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
