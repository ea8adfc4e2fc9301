import { open } from "node:fs/promises";
import { join } from "node:path";
import { isGone } from "../files/errors.js";
import { checkpointIn, linesBack } from "../log/lines-back.js";
import { openCheckpoint } from "../signing/checkpoint.js";
import { type PublicKey, parsePublicKeys } from "../signing/key.js";
import { publicKeysOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";

/**
 * The ends of the signed parts of a log's files. Records after the last signed checkpoint of a file were never
 * acknowledged, or were added by someone else. Records before it are not verified by this class.
 */
export class SignedEnds {
  readonly #dir: string;
  readonly #keys: readonly PublicKey[];
  readonly #known = new Map<string, { readonly bytes: number; readonly end: Promise<number> }>();

  private constructor(dir: string, keys: readonly PublicKey[]) {
    this.#dir = dir;
    this.#keys = keys;
  }

  /** Reads the keys in the log's directory. */
  static async of(dir: string): Promise<SignedEnds> {
    return new SignedEnds(dir, parsePublicKeys((await publicKeysOf(dir)) ?? "", nodeCryptography.sha256));
  }

  /**
   * Returns the end of the last signed checkpoint among the first bytes of a file, in bytes. Returns 0 if there is
   * none.
   */
  endOf(file: string, bytes: number): Promise<number> {
    const known = this.#known.get(file);
    if (known?.bytes === bytes) return known.end;
    const end = this.#look(file, bytes).catch((error: unknown) => {
      // Retention may have deleted it in the meantime.
      if (isGone(error)) return 0;
      throw error;
    });
    this.#known.set(file, { bytes, end });
    return end;
  }

  async #look(file: string, bytes: number): Promise<number> {
    const handle = await open(join(this.#dir, file), "r");
    try {
      // Not limited to the size of a commit: a longer part after the last signed checkpoint was added by someone else.
      for await (const line of linesBack(handle, bytes)) {
        if (await this.#isSigned(file, line.bytes)) return line.offset + line.bytes.length + 1;
      }
      return 0;
    } finally {
      await handle.close();
    }
  }

  async #isSigned(file: string, line: Buffer): Promise<boolean> {
    const found = checkpointIn(line, file);
    if (!found) return false;
    // Without any key, the signature cannot be checked.
    return (
      this.#keys.length === 0 || (await openCheckpoint(found.note, this.#keys, nodeCryptography)).status === "signed"
    );
  }
}
