import {
  CHECKPOINT,
  type Checkpoint,
  decodeCheckpoint,
  fileNameOf,
  HeldLines,
  type Line,
  MAX_COMMIT_BYTES,
  MerkleTree,
  nodeCryptography,
  parseCheckpoint,
  parseNote,
  RECORD,
  rootOf,
} from "@suite/audit/internal";
import { AuditFollowersError } from "../errors.js";
import type { FollowedLine } from "./target.js";

/**
 * Holds the lines of one file until a checkpoint covers them, so that only signed lines are returned. Holds at most one
 * commit. Signatures are checked by `verify`, which has the key.
 */
export class CoveredLines {
  readonly #file: string;
  /** A checkpoint that was delivered before. The tree must match it again. */
  readonly #delivered: Checkpoint | undefined;
  #tree = new MerkleTree(nodeCryptography.sha256);
  readonly #held = new HeldLines();
  #end = 0;

  constructor(file: string, delivered: string | undefined) {
    this.#file = file;
    this.#delivered = delivered === undefined ? undefined : checkpointOf(delivered);
  }

  /** The end of the last checkpoint in the file, in bytes. */
  get end(): number {
    return this.#end;
  }

  /** The number of records that the last checkpoint covers. */
  get size(): number {
    return this.#tree.size;
  }

  /** Removes the lines after the last checkpoint. They will be read again. */
  cutBack(): void {
    this.#held.clear();
  }

  /**
   * Adds the next line. If it is a checkpoint, returns the lines that it covers.
   *
   * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_FILE_DAMAGED`
   */
  push(line: Line): readonly FollowedLine[] {
    const { bytes, offset } = line;
    if (offset + bytes.length - this.#end > MAX_COMMIT_BYTES) throw this.#damaged();
    if (bytes[0] === CHECKPOINT) return this.#cover(line);
    if (bytes[0] !== RECORD) throw this.#damaged();
    this.#held.push(line);
    return [];
  }

  #cover(line: Line): readonly FollowedLine[] {
    const from = this.#tree.size;
    const tree = this.#tree.copy();
    for (const { bytes } of this.#held) {
      tree.append(bytes);
      if (this.#delivered?.size === tree.size && this.#delivered.root !== rootOf(tree)) throw this.#damaged();
    }
    const checkpoint = checkpointOf(decodeCheckpoint(textOf(line)));
    if (checkpoint?.size !== tree.size || checkpoint.root !== rootOf(tree)) throw this.#damaged();
    if (fileNameOf(checkpoint.origin) !== this.#file) throw this.#damaged();
    const records = Array.from(this.#held, (held, i) => followed("record", from + i, held));
    // A copy has no buffer for long lines: there may be many files.
    this.#tree = tree.copy();
    this.#held.clear();
    this.#end = endOf(line);
    return [...records, followed("checkpoint", tree.size, line)];
  }

  #damaged(): AuditFollowersError {
    return new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED",
      `${this.#file} is no longer followed: after byte ${this.#end} it does not match its checkpoints. Run \`suite-audit verify\`.`,
    );
  }
}

const endOf = ({ bytes, offset }: Line): number => offset + bytes.length + 1;

const textOf = ({ bytes }: Line): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");

const followed = (kind: FollowedLine["kind"], index: number, line: Line): FollowedLine => ({
  kind,
  index,
  text: textOf(line),
  end: endOf(line),
});

function checkpointOf(text: string): Checkpoint | undefined {
  const note = parseNote(text);
  return note && parseCheckpoint(note.text);
}
