import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { nodeCryptography } from "../crypto/node.js";
import { rootOf } from "../note/checkpoint.js";
import { type Signer, signCheckpoint } from "../note/signer.js";
import { MerkleTree } from "../tree/merkle.js";
import { syncDirectory } from "./directory.js";
import { originOf } from "./format.js";
import { encodeCheckpoint } from "./line.js";

const NEWLINE = Uint8Array.of(0x0a);
/** No room, for now on the file system or in a quota, or ever in this file. */
const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** One file with one writer: created, appended to by commits, never opened for writing again. */
export class LogFile {
  readonly name: string;
  readonly origin: string;
  readonly #handle: FileHandle;
  readonly #signer: Signer;
  #tree = new MerkleTree(nodeCryptography.sha256);
  #commits = 0;
  #bytes = 0;
  #checkpoint: string | undefined;
  #failed = false;
  #full = false;

  private constructor(name: string, handle: FileHandle, signer: Signer) {
    this.name = name;
    this.origin = originOf(signer.name, name);
    this.#handle = handle;
    this.#signer = signer;
  }

  /** Creates the file, and its entry in the directory durably. */
  static async create(dir: string, name: string, signer: Signer): Promise<LogFile> {
    const path = join(dir, name);
    const handle = await open(path, "wx", 0o600);
    try {
      await syncDirectory(dir);
    } catch (error) {
      await handle.close().catch(() => {});
      await unlink(path).catch(() => {});
      throw error;
    }
    return new LogFile(name, handle, signer);
  }

  /** Acknowledged bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Acknowledged records. */
  get size(): number {
    return this.#tree.size;
  }

  /** The head of what is acknowledged. */
  get root(): string {
    return rootOf(this.#tree);
  }

  /** The last acknowledged checkpoint, a signed note. */
  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** What is on disk after the acknowledged bytes is unknown: nothing more may be written here. */
  get failed(): boolean {
    return this.#failed;
  }

  /** A limit on the size of files was met: what comes next must go elsewhere. */
  get full(): boolean {
    return this.#full;
  }

  /** Makes some lines durable and signed, all or none: one write, one fdatasync. Gives the index of the first. */
  async commit(lines: readonly Uint8Array[]): Promise<number> {
    const tree = this.#tree.copy();
    for (const line of lines) tree.append(line);
    const head = { origin: this.origin, size: tree.size, root: rootOf(tree), commit: this.#commits + 1 };
    const checkpoint = await signCheckpoint(head, this.#signer, nodeCryptography.sha256);
    const bytes = Buffer.concat([...lines, encodeCheckpoint(checkpoint)].flatMap((line) => [line, NEWLINE]));
    await this.#write(bytes);
    await this.#sync();
    const index = this.#tree.size;
    this.#tree = tree;
    this.#commits++;
    this.#bytes += bytes.length;
    this.#checkpoint = checkpoint;
    return index;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += (await this.#handle.write(bytes, done, bytes.length - done, this.#bytes + done)).bytesWritten;
      }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      this.#failed = !noRoom.has(code) || !(await this.#cutBack());
      this.#full = code === "EFBIG" && this.#tree.size > 0;
      throw error;
    }
  }

  /** Back to the last acknowledged byte: the checkpoint of the batch, which is its end, was not written whole. */
  #cutBack(): Promise<boolean> {
    return this.#handle.truncate(this.#bytes).then(
      () => true,
      () => false,
    );
  }

  /** Never tried again: after a failed sync the kernel may have dropped the pages, and the next one would say all is well. */
  async #sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
