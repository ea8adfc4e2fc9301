import type { Cryptography } from "../crypto/crypto.js";
import { CHECKPOINT, fileNameOf, RECORD } from "../log/format.js";
import { type Checkpoint, openCheckpoint, rootOf } from "../note/checkpoint.js";
import type { PublicKey } from "../note/key.js";
import { MerkleTree } from "../tree/merkle.js";
import { differing, type Found, misplaced, unopened, unsigned } from "./damage.js";
import type { Line } from "./lines.js";
import { hasZeroSector, isCutCheckpoint, isJsonObject } from "./torn.js";
import type { Problem } from "./verdict.js";

/** No commit is larger. */
const MAX_COMMIT_BYTES = 4 * 1024 * 1024;

interface Good {
  readonly checkpoint?: Checkpoint;
  /** Its line, and where it ends in the file. */
  readonly line: number;
  readonly end: number;
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
  #good: Good = { line: 0, end: 0 };
  /** Lines since the last good checkpoint, as many as one commit can have; while there is no damage, all are records. */
  #after: Line[] = [];
  #checkpointsAfter = 0;
  #damage: Found | undefined;

  /** Roots at the sizes that were asked for. */
  readonly roots = new Map<number, string>();
  /** Signed heads behind the last good one: others may have seen them before a power failure took their records. */
  readonly unproven: Checkpoint[] = [];
  /** Lines that are records, proven or not. */
  records = 0;
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

  /** Takes the next line. A promise, only for a checkpoint, that must be awaited before the next. */
  read(line: Line): Promise<void> | undefined {
    const first = line.bytes[0];
    this.#lines++;
    this.#end = line.offset + line.bytes.length + (line.complete ? 1 : 0);
    if (first === RECORD) this.records++;
    if (first === CHECKPOINT) this.#checkpointsAfter++;
    if (first === CHECKPOINT && line.complete) return this.#checkpoint(line);
    if (this.tail <= MAX_COMMIT_BYTES) this.#after.push(line);
    else this.#damage ??= unsigned(this.#good.line + 1, this.#lines, this.#size);
    if (this.#damage) return undefined;
    if (first === RECORD && line.complete) this.#record(line.bytes);
    else if (!isCut(line))
      this.#damage = {
        kind: "unreadable_line",
        line: this.#lines,
        message: "The line is neither a record nor a checkpoint.",
      };
    return undefined;
  }

  /** The damage of the file, if any. After the last line. */
  finish(): Problem | undefined {
    const damage = this.#damage ?? this.#brokenTail();
    if (!damage) return undefined;
    const lastCommit = this.#checkpointsAfter <= 1 && this.tail <= MAX_COMMIT_BYTES;
    if (lastCommit && this.#after.some((line) => hasZeroSector(line, this.#good.end))) return undefined;
    const doubt = lastCommit
      ? " Nothing signed follows: a power failure while this was written can leave the same trace."
      : "";
    return { ...damage, message: damage.message + doubt, file: this.#file };
  }

  get #size(): number {
    return this.#good.checkpoint?.size ?? 0;
  }

  #record(bytes: Uint8Array): void {
    this.#tree.append(bytes);
    this.opening ??= bytes;
    if (this.#wanted.has(this.#tree.size)) this.roots.set(this.#tree.size, rootOf(this.#tree));
  }

  async #checkpoint(line: Line): Promise<void> {
    const opened = await openCheckpoint(noteOf(line.bytes), this.#keys, this.#cryptography);
    // Signatures of others belong to anchors: in a file, one more would be a change that nobody notices.
    const status = opened.status === "signed" && opened.note.signatures.length > 1 ? "malformed" : opened.status;
    const checkpoint = opened.status === "signed" ? opened.checkpoint : undefined;
    if (status !== "signed") this.#damage ??= unopened(status, this.#lines);
    else if (checkpoint) this.#damage ??= this.#compare(checkpoint);
    if (this.#damage) {
      if (checkpoint) this.unproven.push(checkpoint);
      if (this.tail <= MAX_COMMIT_BYTES) this.#after.push(line);
    } else if (checkpoint) {
      this.#good = { checkpoint, line: this.#lines, end: this.#end };
      this.#after = [];
      this.#checkpointsAfter = 0;
    }
  }

  #compare(signed: Checkpoint): Found | undefined {
    const commit = (this.#good.checkpoint?.commit ?? 0) + 1;
    const found = misplaced(signed, fileNameOf(signed.origin) === this.#file, commit, this.#lines);
    if (found || (signed.size === this.#tree.size && signed.root === rootOf(this.#tree))) return found;
    const lines = this.#after.map(({ bytes }) => bytes);
    return differing({ lines, firstLine: this.#good.line + 1, firstIndex: this.#size }, signed.size);
  }

  /** Whole lines that no checkpoint follows are JSON: a crash cuts, and changes nothing before the cut. */
  #brokenTail(): Found | undefined {
    const broken = this.#after.findIndex((line) => line.complete && !isJsonObject(line.bytes));
    if (broken < 0) return undefined;
    const line = this.#good.line + 1 + broken;
    return { kind: "record_altered", line, index: this.#size + broken, message: "The record is not JSON any more." };
  }
}

/** A line without newline that a crash can have cut: it begins like a record, or like a checkpoint. */
const isCut = ({ bytes, complete }: Line): boolean =>
  !complete && (bytes[0] === RECORD || (bytes[0] === CHECKPOINT && isCutCheckpoint(bytes)));

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
