import { toBase64 } from "@suite/kit";
import { CHECKPOINT, fileNameOf, MAX_COMMIT_BYTES, RECORD } from "../log/format.js";
import type { Head } from "../log/heads.js";
import { HeldLines } from "../log/held-lines.js";
import type { Line } from "../log/line-reader.js";
import { headsIn } from "../log/opening.js";
import { deletedIn } from "../log/retention-record.js";
import { type Checkpoint, type Opened, rootOf } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import { MerkleTree } from "../signing/merkle.js";
import { CommitRoots } from "./commit-roots.js";
import { afterAnother, afterEnd, differing, type Found, inDoubt, misplaced, unopened, unsigned } from "./damage.js";
import { KeyUses } from "./key-uses.js";
import { NamedHeads } from "./named-heads.js";
import type { Signatures } from "./signatures.js";
import { isCut, isJsonObject, isOfOneSector } from "./torn.js";
import type { Problem } from "./verdict.js";

interface Good {
  readonly checkpoint?: Checkpoint;
  /** The number of its line, and its end in the file. */
  readonly line: number;
  readonly end: number;
  /** True if it has no new records, so that it closed the file. */
  readonly closes: boolean;
  /** SHA-256 of its line, base64. */
  readonly hash?: string;
}

/** Compares the lines of one file with its checkpoints, up to the first damage. */
export class Scan {
  readonly #file: string;
  readonly #signatures: Signatures;
  readonly #cryptography: Cryptography;
  readonly #tree: MerkleTree;
  #lines = 0;
  #end = 0;
  #good: Good = { line: 0, end: 0, closes: false };
  /** The records since the last good checkpoint, if there is no damage: one commit at most. */
  readonly #after = new HeldLines();
  #damage: Found | undefined;
  /** True if the lines prove that the commit after the last good checkpoint was completely on disk. */
  #wasDurable = false;
  /** The file whose first commit fits here, instead of this file's first commit. */
  #begunBy: string | undefined;
  /** The end of the signed checkpoint of that commit, in bytes. */
  #nextEnd: number | undefined;

  /** Roots at the good checkpoints. */
  readonly roots = new CommitRoots();
  /** The heads of other files in the records here, proven or not. */
  readonly named = new NamedHeads();
  /** The keys that signed the good checkpoints. */
  readonly keys = new KeyUses();
  /**
   * Sizes and roots of the signed heads after the last good one: other writers may have read them. Copies count once.
   */
  readonly #unproven = new Set<string>();
  /** Number of record lines, proven or not. */
  records = 0;
  /** The heads of deleted files in records of retention here, and the number of records at that point. */
  readonly #deleted: { readonly at: number; readonly heads: readonly Head[] }[] = [];
  /** True if the first record contains the heads of the earlier files. */
  hasOpening = false;

  constructor(file: string, signatures: Signatures, cryptography: Cryptography) {
    this.#file = file;
    this.#signatures = signatures;
    this.#cryptography = cryptography;
    this.#tree = new MerkleTree(cryptography.sha256);
  }

  /** Returns true if a signed head after the last good one has this size and root. */
  hasUnproven(size: number, root: string): boolean {
    return this.#unproven.has(`${size} ${root}`);
  }

  /** The last good checkpoint. */
  get head(): Checkpoint | undefined {
    return this.#good.checkpoint;
  }

  /** True if the last good checkpoint closed the file. */
  get closed(): boolean {
    return this.#good.closes;
  }

  /** True if no damage was found so far. */
  get complete(): boolean {
    return this.#damage === undefined;
  }

  /** Bytes after the last good checkpoint. */
  get tail(): number {
    return this.#end - this.#good.end;
  }

  /** The heads of deleted files in proven records here. */
  get deleted(): readonly Head[] {
    return this.#deleted.flatMap(({ at, heads }) => (at <= this.#size ? heads : []));
  }

  /** Reads the next line. Returns a promise only for a checkpoint, which must be awaited before the next line. */
  read(line: Line): Promise<void> | undefined {
    const first = line.bytes[0];
    this.#lines++;
    this.#end = line.offset + line.bytes.length + (line.complete ? 1 : 0);
    if (first === RECORD) this.records++;
    if (first === CHECKPOINT && line.complete) return this.#checkpoint(line);
    if (this.#damage) return undefined;
    if (this.tail > MAX_COMMIT_BYTES) {
      this.#damage = unsigned(this.#good.line + 1, this.#lines, this.#size);
      this.#after.clear();
      return undefined;
    }
    this.#after.push(line);
    if (first === RECORD && line.complete) this.#record(line.bytes);
    else if (!isCut(line)) {
      const message = "The line is neither a record nor a checkpoint.";
      this.#damage = { kind: "unreadable_line", line: this.#lines, message };
    }
    return undefined;
  }

  /**
   * Returns the damage of the file, if any. Called after the last line.
   *
   * @param anchored the number of records in an anchor
   * @param seenClosed true if another file recorded that this one was closed
   * @param isHere returns true if a file of that name exists. Disk sectors of a deleted file may have been reused for
   * this one.
   */
  finish(anchored: number, seenClosed: boolean, isHere: (file: string) => boolean): Problem | undefined {
    const { closes, line } = this.#good;
    const damage = this.#damage ?? this.#brokenTail() ?? (closes && this.tail > 0 ? afterEnd(line + 1) : undefined);
    if (!damage) return undefined;
    const followed = this.#nextEnd !== undefined && this.#nextEnd < this.#end;
    const copied = this.#begunBy !== undefined && isHere(this.#begunBy);
    const proven = this.#wasDurable || followed || closes || seenClosed || copied;
    const certain = proven || anchored > this.#size || this.tail > MAX_COMMIT_BYTES;
    return { ...(certain ? damage : inDoubt(damage)), file: this.#file };
  }

  get #size(): number {
    return this.#good.checkpoint?.size ?? 0;
  }

  #record(bytes: Uint8Array): void {
    const index = this.#count - 1;
    const named = headsIn(bytes);
    if (named !== undefined) this.named.add(index, named);
    if (index === 0) this.hasOpening = named !== undefined;
    const deleted = deletedIn(bytes);
    if (deleted.length > 0) this.#deleted.push({ at: this.#count, heads: deleted });
  }

  async #checkpoint(line: Line): Promise<void> {
    const opened = await this.#signatures.open(noteOf(line.bytes));
    const checkpoint = opened.status === "signed" ? opened.checkpoint : undefined;
    const wrong = this.#damage ?? this.#wrong(opened);
    if (!wrong && checkpoint) {
      const closes = checkpoint.size === this.#size;
      if (opened.status === "signed") this.keys.see(opened.key, this.#size, checkpoint.size, this.#after);
      if (!closes) this.roots.add(checkpoint.size, checkpoint.root);
      const hash = toBase64(this.#cryptography.sha256(line.bytes));
      this.#good = { checkpoint, line: this.#lines, end: this.#end, closes, hash };
      this.#after.clear();
      return;
    }
    this.#weigh(opened, line);
    this.#damage = wrong;
    this.#after.clear();
    if (checkpoint) this.#unproven.add(`${checkpoint.size} ${checkpoint.root}`);
  }

  #wrong(opened: Opened): Found | undefined {
    if (opened.status !== "signed") return unopened(opened.status, this.#lines);
    // Signatures by others belong to anchors. In a file, an additional signature would be an unnoticed change.
    if (opened.note.signatures.length > 1) return unopened("malformed", this.#lines);
    const signed = opened.checkpoint;
    const found = misplaced(signed, this.#hasSameOrigin(signed), this.#nextCommit, this.#lines);
    if (found) return found;
    const { previous } = signed;
    if (this.#fits(signed)) {
      return previous === undefined || previous === this.#good.hash ? undefined : afterAnother(this.#lines);
    }
    return differing({ lines: this.#after, firstLine: this.#good.line + 1, firstIndex: this.#size }, signed.size);
  }

  /**
   * Looks for traces that a power failure cannot leave. Everything before a checkpoint that fits its records was
   * written. A later commit begins only when the one before it is synced, and an earlier commit has its place.
   */
  #weigh(opened: Opened, line: Line): void {
    if (opened.status === "malformed") return;
    const { checkpoint } = opened;
    const signedHere = opened.status === "signed" && this.#hasSameOrigin(checkpoint);
    const fits = !this.#damage && this.#fits(checkpoint);
    const file = fileNameOf(checkpoint.origin);
    if (fits && this.#size === 0 && file !== this.#file) this.#begunBy = file;
    else if (fits) this.#wasDurable ||= opened.status === "signed" || isOfOneSector(line);
    else if (signedHere && checkpoint.commit !== this.#nextCommit) this.#wasDurable = true;
    else if (signedHere) this.#nextEnd ??= this.#end;
  }

  #hasSameOrigin = ({ origin }: Checkpoint): boolean =>
    fileNameOf(origin) === this.#file &&
    (this.#good.checkpoint === undefined || origin === this.#good.checkpoint.origin);
  #fits = ({ size, root }: Checkpoint): boolean => size === this.#count && root === rootOf(this.#hashed());

  /** The number of records up to the last line, if there is no damage. */
  get #count(): number {
    return this.#size + this.#after.length;
  }

  /** Returns the tree of all records. They are hashed only here: a file without checkpoints costs no hashes. */
  #hashed(): MerkleTree {
    for (let index = this.#tree.size; index < this.#count; index++) {
      this.#tree.append(this.#after.at(index - this.#size).bytes);
    }
    return this.#tree;
  }

  get #nextCommit(): number {
    return (this.#good.checkpoint?.commit ?? 0) + 1;
  }

  /** Complete lines that no checkpoint follows must be JSON: a crash cuts the end, but changes nothing before it. */
  #brokenTail(): Found | undefined {
    const broken = this.#after.findIndex((line) => line.complete && !isJsonObject(line.bytes));
    if (broken < 0) return undefined;
    const line = this.#good.line + 1 + broken;
    return { kind: "record_altered", line, index: this.#size + broken, message: "The record is no longer valid JSON." };
  }
}

/** Decodes the note in a checkpoint's line. Returns an empty string if the line is not exactly what a log writes. */
function noteOf(bytes: Uint8Array): string {
  try {
    const line = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const note: unknown = JSON.parse(line);
    return typeof note === "string" && JSON.stringify(note) === line ? note : "";
  } catch {
    return "";
  }
}
