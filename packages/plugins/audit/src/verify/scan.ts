import type { Cryptography } from "../crypto/crypto.js";
import { CHECKPOINT, fileNameOf, MAX_COMMIT_BYTES, RECORD } from "../log/format.js";
import type { Head } from "../log/heads.js";
import { type Checkpoint, type Opened, openCheckpoint, rootOf } from "../note/checkpoint.js";
import type { PublicKey } from "../note/key.js";
import { deletedIn } from "../retention/record.js";
import { MerkleTree } from "../tree/merkle.js";
import { afterEnd, differing, type Found, inDoubt, misplaced, unopened, unsigned } from "./damage.js";
import type { Line } from "./lines.js";
import { isCut, isJsonObject } from "./torn.js";
import type { Problem } from "./verdict.js";

interface Good {
  readonly checkpoint?: Checkpoint;
  /** Its line, and where it ends in the file. */
  readonly line: number;
  readonly end: number;
  /** It is of no further record: with it, the file was closed. */
  readonly closes: boolean;
}

/** Holds the lines of one file against its checkpoints, up to the first damage. */
export class Scan {
  readonly #file: string;
  readonly #keys: readonly PublicKey[];
  readonly #cryptography: Cryptography;
  readonly #wanted: ReadonlySet<number>;
  readonly #tree: MerkleTree;
  #lines = 0;
  #end = 0;
  #good: Good = { line: 0, end: 0, closes: false };
  /** Lines since the last good checkpoint, as many as one commit can have; while there is no damage, all are records. */
  #after: Line[] = [];
  #damage: Found | undefined;
  /** What stands here shows that the commit after the last good checkpoint was on disk, and not only on its way there. */
  #wasDurable = false;
  /** Where the signed checkpoint of that commit ends. */
  #nextEnd: number | undefined;

  /** Roots at the sizes that were asked for. */
  readonly roots = new Map<number, string>();
  /** Signed heads behind the last good one: others may have read them, and not what they stand for. */
  readonly unproven: Checkpoint[] = [];
  /** Lines that are records, proven or not. */
  records = 0;
  /** The heads of files that retention deleted, as records here say, and how many records there were then. */
  readonly #deleted: { readonly at: number; readonly heads: readonly Head[] }[] = [];
  /** The first record. */
  opening: Uint8Array | undefined;

  constructor(file: string, keys: readonly PublicKey[], cryptography: Cryptography, wanted: ReadonlySet<number>) {
    this.#file = file;
    this.#keys = keys;
    this.#cryptography = cryptography;
    this.#wanted = wanted;
    this.#tree = new MerkleTree(cryptography.sha256);
  }

  /** The last good checkpoint. */
  get head(): Checkpoint | undefined {
    return this.#good.checkpoint;
  }

  /** Bytes after the last good checkpoint. */
  get tail(): number {
    return this.#end - this.#good.end;
  }

  /** The heads of files that retention deleted, as proven records here say. */
  get deleted(): readonly Head[] {
    return this.#deleted.flatMap(({ at, heads }) => (at <= this.#size ? heads : []));
  }

  /** Takes the next line. A promise, only for a checkpoint, that must be awaited before the next. */
  read(line: Line): Promise<void> | undefined {
    const first = line.bytes[0];
    this.#lines++;
    this.#end = line.offset + line.bytes.length + (line.complete ? 1 : 0);
    if (first === RECORD) this.records++;
    if (first === CHECKPOINT && line.complete) return this.#checkpoint(line);
    if (this.tail <= MAX_COMMIT_BYTES) this.#after.push(line);
    else this.#damage ??= unsigned(this.#good.line + 1, this.#lines, this.#size);
    if (this.#damage) return undefined;
    if (first === RECORD && line.complete) this.#record(line.bytes);
    else if (!isCut(line)) {
      const message = "The line is neither a record nor a checkpoint.";
      this.#damage = { kind: "unreadable_line", line: this.#lines, message };
    }
    return undefined;
  }

  /**
   * The damage of the file, if any. After the last line.
   *
   * @param anchored how many records an anchor names
   */
  finish(anchored = 0): Problem | undefined {
    const { closes, line } = this.#good;
    const damage = this.#damage ?? this.#brokenTail() ?? (closes && this.tail > 0 ? afterEnd(line + 1) : undefined);
    if (!damage) return undefined;
    const followed = this.#nextEnd !== undefined && this.#nextEnd < this.#end;
    const certain = this.#wasDurable || followed || closes || anchored > this.#size || this.tail > MAX_COMMIT_BYTES;
    return { ...(certain ? damage : inDoubt(damage)), file: this.#file };
  }

  get #size(): number {
    return this.#good.checkpoint?.size ?? 0;
  }

  #record(bytes: Uint8Array): void {
    this.#tree.append(bytes);
    this.opening ??= bytes;
    const heads = deletedIn(bytes);
    if (heads.length > 0) this.#deleted.push({ at: this.#tree.size, heads });
    if (this.#wanted.has(this.#tree.size)) this.roots.set(this.#tree.size, rootOf(this.#tree));
  }

  async #checkpoint(line: Line): Promise<void> {
    const opened = await openCheckpoint(noteOf(line.bytes), this.#keys, this.#cryptography);
    const checkpoint = opened.status === "signed" ? opened.checkpoint : undefined;
    const wrong = this.#damage ?? this.#wrong(opened);
    if (!wrong && checkpoint) {
      this.#good = { checkpoint, line: this.#lines, end: this.#end, closes: checkpoint.size === this.#size };
      this.#after = [];
      return;
    }
    this.#weigh(opened);
    this.#damage = wrong;
    if (checkpoint) this.unproven.push(checkpoint);
    if (this.tail <= MAX_COMMIT_BYTES) this.#after.push(line);
  }

  #wrong(opened: Opened): Found | undefined {
    if (opened.status !== "signed") return unopened(opened.status, this.#lines);
    // Signatures of others belong to anchors: in a file, one more would be a change that nobody notices.
    if (opened.note.signatures.length > 1) return unopened("malformed", this.#lines);
    const signed = opened.checkpoint;
    const found = misplaced(signed, this.#isOwn(signed), this.#nextCommit, this.#lines);
    if (found || this.#fits(signed)) return found;
    const lines = this.#after.map(({ bytes }) => bytes);
    return differing({ lines, firstLine: this.#good.line + 1, firstIndex: this.#size }, signed.size);
  }

  /**
   * Looks for what a power failure cannot leave. Before a checkpoint that fits its records, all was written. A later commit
   * is begun only when the one before it is synced, and an earlier one has its place.
   */
  #weigh(opened: Opened): void {
    if (opened.status === "malformed") return;
    const { checkpoint } = opened;
    const signedHere = opened.status === "signed" && this.#isOwn(checkpoint);
    if (!this.#damage && this.#fits(checkpoint)) this.#wasDurable = true;
    else if (signedHere && checkpoint.commit !== this.#nextCommit) this.#wasDurable = true;
    else if (signedHere) this.#nextEnd ??= this.#end;
  }

  #isOwn = ({ origin }: Checkpoint): boolean => fileNameOf(origin) === this.#file;
  #fits = ({ size, root }: Checkpoint): boolean => size === this.#tree.size && root === rootOf(this.#tree);

  get #nextCommit(): number {
    return (this.#good.checkpoint?.commit ?? 0) + 1;
  }

  /** Whole lines that no checkpoint follows are JSON: a crash cuts, and changes nothing before the cut. */
  #brokenTail(): Found | undefined {
    const broken = this.#after.findIndex((line) => line.complete && !isJsonObject(line.bytes));
    if (broken < 0) return undefined;
    const line = this.#good.line + 1 + broken;
    return { kind: "record_altered", line, index: this.#size + broken, message: "The record is not JSON any more." };
  }
}

/** The note in a checkpoint's line, or nothing where the line is not exactly what a log writes. */
function noteOf(bytes: Uint8Array): string {
  try {
    const line = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const note: unknown = JSON.parse(line);
    return typeof note === "string" && JSON.stringify(note) === line ? note : "";
  } catch {
    return "";
  }
}
