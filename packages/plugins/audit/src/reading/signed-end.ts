import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { nodeCryptography } from "../crypto/node.js";
import { isGone } from "../files/errors.js";
import { publicKeysOf } from "../keys/key-files.js";
import { CHECKPOINT, fileNameOf, MAX_COMMIT_BYTES } from "../log/format.js";
import { decodeCheckpoint } from "../log/line.js";
import { openCheckpoint } from "../note/checkpoint.js";
import { type PublicKey, parsePublicKeys } from "../note/key.js";
import { linesOf } from "./lines-of.js";

/** Most checkpoints are found in so many bytes at the end of a file. */
const WINDOW_BYTES = 16 * 1024;

/**
 * The ends of what is signed in the files of a log: what stands behind the last signed checkpoint of a file was never
 * acknowledged, or was added by somebody. What stands before it is not verified by this.
 */
export class SignedEnds {
  readonly #dir: string;
  readonly #keys: readonly PublicKey[];
  readonly #known = new Map<string, { readonly bytes: number; readonly end: Promise<number> }>();

  private constructor(dir: string, keys: readonly PublicKey[]) {
    this.#dir = dir;
    this.#keys = keys;
  }

  /** By the keys in the log's directory. */
  static async of(dir: string): Promise<SignedEnds> {
    return new SignedEnds(dir, parsePublicKeys((await publicKeysOf(dir)) ?? "", nodeCryptography.sha256));
  }

  /** Where the last signed checkpoint among the first bytes of a file ends. 0 where there is none. */
  endOf(file: string, bytes: number): Promise<number> {
    const known = this.#known.get(file);
    if (known?.bytes === bytes) return known.end;
    const end = this.#look(file, bytes).catch((error: unknown) => {
      // Retention may have taken it meanwhile.
      if (isGone(error)) return 0;
      throw error;
    });
    this.#known.set(file, { bytes, end });
    return end;
  }

  async #look(file: string, bytes: number): Promise<number> {
    const handle = await open(join(this.#dir, file), "r");
    try {
      for (const window of [WINDOW_BYTES, MAX_COMMIT_BYTES]) {
        const end = await this.#lookBack(handle, file, bytes, Math.min(window, bytes));
        if (end !== undefined) return end;
        if (window >= bytes) return 0;
      }
    } finally {
      await handle.close();
    }
    return this.#lookThrough(file, bytes);
  }

  async #lookBack(handle: FileHandle, file: string, bytes: number, window: number): Promise<number | undefined> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(window), 0, window, bytes - window);
    const read = buffer.subarray(0, bytesRead);
    for (let newline = read.lastIndexOf(0x0a); newline >= 0; ) {
      const before = newline === 0 ? -1 : read.lastIndexOf(0x0a, newline - 1);
      // The first line may be cut at its beginning.
      if (before < 0 && window < bytes) return undefined;
      if (await this.#isSigned(file, read.subarray(before + 1, newline))) return bytes - window + newline + 1;
      newline = before;
    }
    return undefined;
  }

  /** More than any commit stands behind the last checkpoint, or none is signed: whatever is there was added. */
  async #lookThrough(file: string, bytes: number): Promise<number> {
    const checkpoints: { readonly from: number; readonly to: number }[] = [];
    for await (const lines of linesOf(join(this.#dir, file), 0, bytes)) {
      for (const { bytes: line, offset } of lines) {
        if (line[0] === CHECKPOINT) checkpoints.push({ from: offset, to: offset + line.length });
      }
    }
    const handle = await open(join(this.#dir, file), "r");
    try {
      for (const { from, to } of checkpoints.reverse()) {
        const { buffer } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
        if (await this.#isSigned(file, buffer)) return to + 1;
      }
      return 0;
    } finally {
      await handle.close();
    }
  }

  async #isSigned(file: string, line: Buffer): Promise<boolean> {
    if (line[0] !== CHECKPOINT) return false;
    const opened = await openCheckpoint(decodeCheckpoint(line.toString()), this.#keys, nodeCryptography);
    if (opened.status === "malformed" || fileNameOf(opened.checkpoint.origin) !== file) return false;
    // Without any key nobody can tell.
    return opened.status === "signed" || this.#keys.length === 0;
  }
}
