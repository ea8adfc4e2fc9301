/** A line of a log file, as it is stored. */
export interface FollowedLine {
  readonly kind: "record" | "checkpoint";
  /** The place of a record in the file, from 0; of a checkpoint, the number of records that it covers. */
  readonly index: number;
  /** The line without its newline. What is encrypted in it stays so. */
  readonly text: string;
  /** The beginning of the next line in the file, in bytes. */
  readonly end: number;
}

/** The place up to which a file was delivered. */
export interface Position {
  /** Bytes from its beginning: whole lines. */
  readonly bytes: number;
  /** Records in them. */
  readonly records: number;
  /** The last checkpoint in them, a signed note: an anchor for `verify`. */
  readonly checkpoint?: string;
}

/** Lines of one file that stand one after the other. */
export interface FollowerBatch {
  /** The file's name, without its directory. Names are never used again. */
  readonly file: string;
  readonly lines: readonly FollowedLine[];
  /** The position once these lines are delivered. */
  readonly end: Position;
}

/** The context that a target is given beside the batch. */
export interface DeliveryContext {
  /** The signal, aborted when the follower is closed. */
  readonly signal: AbortSignal;
  /** Tells of what is wrong, while the batch counts as delivered. */
  report(error: unknown): void;
}

/** The target to which a follower sends what it reads. One batch is delivered at a time. */
export interface FollowerTarget {
  /** Names the cursor file: letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /**
   * Resolves when the batch is safe there. Whatever it throws, the same batch comes again: a target may see lines twice,
   * and never with a gap. What waiting does not mend it throws as AuditError `ERR_AUDIT_DELIVERY_REFUSED`.
   */
  deliver(batch: FollowerBatch, context: DeliveryContext): Promise<void>;
  /**
   * The positions of those of these files that it knows, for a target that stores `batch.end` together with the lines.
   * Then there is no cursor file.
   */
  positions?(files: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Position>>;
  /** Releases what it holds. */
  close(): Promise<void>;
}
