import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensureDirectory } from "../files/directory.js";
import { createOnce, readIfThere, replace } from "../files/durable.js";
import { isGone } from "../files/errors.js";
import { identityOf } from "../log/identity.js";
import { consistencyPath, PathHasher } from "../proofs/subtrees.js";
import { signerOf } from "../signing/key-files.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { formatNote, type Note, parseNote } from "../signing/note.js";
import { type Signer, signNote } from "../signing/signer.js";
import {
  formatTreeHead,
  HEADS_DIR,
  headName,
  headsOrigin,
  leafName,
  numberIn,
  rootsOf,
  verifierKeyOf,
} from "./tree-head.js";

/**
 * The log of a log's heads, in a subfolder. Each leaf is a checkpoint of a log file that covers the whole log at that
 * time. The log of heads keeps one origin, which witnesses can be configured with, while log files are added and
 * deleted. Any process may add to it: a leaf is a file that is created once.
 */
export class HeadsLog {
  readonly #dir: string;
  readonly #signer: Signer;
  readonly #log: string;
  #leaves: string[] = [];

  private constructor(dir: string, signer: Signer, log: string) {
    this.#dir = dir;
    this.#signer = signer;
    this.#log = log;
  }

  /**
   * @param dir the directory of the log
   * @param given signs the heads; default: the key in the directory
   */
  static async open(dir: string, given?: Signer): Promise<HeadsLog> {
    const path = resolve(dir);
    const signer = given ?? (await signerOf(path)).signer;
    const heads = new HeadsLog(join(path, HEADS_DIR), signer, await identityOf(path));
    await ensureDirectory(heads.#dir);
    await heads.read();
    return heads;
  }

  /** The verifier key that witnesses are configured with: `name/identity`. It never changes. */
  get verifierKey(): string {
    return verifierKeyOf(this.#signer, this.#log, nodeCryptography.sha256);
  }

  get size(): number {
    return this.#leaves.length;
  }

  /** Reads the leaves that others have added. */
  async read(): Promise<void> {
    for (;;) {
      const leaf = await readIfThere(join(this.#dir, leafName(this.size)));
      if (leaf === undefined) return;
      this.#leaves.push(leaf);
    }
  }

  /** Adds a checkpoint, durably. */
  async add(checkpoint: string): Promise<void> {
    await this.read();
    while (!(await createOnce(join(this.#dir, leafName(this.size)), checkpoint))) await this.read();
    this.#leaves.push(checkpoint);
  }

  /** Returns the signed head of all leaves, with the known cosignatures. */
  async head(): Promise<Note> {
    const known = await readIfThere(join(this.#dir, headName(this.size)));
    const note = known === undefined ? undefined : parseNote(known);
    const origin = headsOrigin(this.#signer.name, this.#log);
    const root = rootsOf(this.#leaves, nodeCryptography.sha256).at(-1) ?? "";
    const text = formatTreeHead({ origin, size: this.size, root });
    if (note?.text === text) return note;
    const signed = await signNote(text, origin, this.#signer, nodeCryptography);
    await replace(join(this.#dir, headName(this.size)), signed);
    return parseNote(signed) as Note;
  }

  /** Saves a head with further cosignatures. */
  async keep(size: number, note: Note): Promise<void> {
    await replace(join(this.#dir, headName(size)), formatNote(note));
  }

  /** Returns the proof that the head of `size` leaves is consistent with that of `oldSize`. */
  proof(oldSize: number, size: number): readonly Uint8Array[] {
    if (oldSize === 0 || oldSize === size) return [];
    const hasher = new PathHasher(consistencyPath(oldSize, size), nodeCryptography.sha256);
    for (const leaf of this.#leaves.slice(0, size)) hasher.append(Buffer.from(leaf));
    return hasher.hashes();
  }

  /** Returns the size of the last head here that this witness has cosigned, or 0. */
  async lastBy(name: string): Promise<number> {
    for (const size of (await sizesIn(this.#dir)).reverse()) {
      const note = parseNote((await readIfThere(join(this.#dir, headName(size)))) ?? "");
      if (note?.signatures.some((signature) => signature.name === name)) return size;
    }
    return 0;
  }
}

async function sizesIn(dir: string): Promise<number[]> {
  return (await readdir(dir))
    .flatMap((name) => (numberIn(name)?.kind === "checkpoint" ? [numberIn(name)?.n ?? 0] : []))
    .sort((a, b) => a - b);
}

/** Returns the files of the folder of heads. Returns an empty list if the folder does not exist. */
export async function headFilesOf(dir: string): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const folder = join(dir, HEADS_DIR);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  const files: { name: string; text: string }[] = [];
  for (const name of names.filter((each) => numberIn(each) !== undefined)) {
    files.push({ name, text: await readFile(join(folder, name), "utf8") });
  }
  return files;
}

/** Returns the verifier key of a log for the configuration of a witness: `name/identity`. It never changes. */
export async function verifierKeyOfLog(dir: string, given?: Signer): Promise<string> {
  const signer = given ?? (await signerOf(resolve(dir))).signer;
  return verifierKeyOf(signer, await identityOf(resolve(dir)), nodeCryptography.sha256);
}
