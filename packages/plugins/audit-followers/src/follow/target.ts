/** A line of a log file, as stored. */
export interface FollowedLine {
  readonly kind: "record" | "checkpoint";
  /** The index of a record in the file, from 0. For a checkpoint, the number of records that it covers. */
  readonly index: number;
  /** The line without its newline. Encrypted content stays encrypted. */
  readonly text: string;
  /** The offset of the next line in the file, in bytes. */
  readonly end: number;
}

/** The end of the delivered part of a file. */
export interface Position {
  /** Bytes from the beginning of the file, at the end of a line. */
  readonly bytes: number;
  /** The number of records in these bytes. */
  readonly records: number;
  /** The last checkpoint in these bytes, a signed note: an anchor for `verify`. */
  readonly checkpoint?: string;
}

/** Consecutive lines of one file. */
export interface FollowerBatch {
  /** The file's name, without its directory. Names are never reused. */
  readonly file: string;
  readonly lines: readonly FollowedLine[];
  /** The position after these lines. */
  readonly end: Position;
}

/** The context of a delivery. */
export interface DeliveryContext {
  /** Aborted when the follower is closed. */
  readonly signal: AbortSignal;
  /** Reports a problem although the batch counts as delivered. */
  report(error: unknown): void;
}

/** A destination of a follower. Batches are delivered one at a time. */
export interface FollowerTarget {
  /** The name of the cursor file: letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /**
   * Resolves when the target has stored the batch safely. If it throws, the same batch is delivered again: a target may
   * receive lines twice, but never with a gap. Throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED` for a problem that
   * waiting does not resolve.
   */
  deliver(batch: FollowerBatch, context: DeliveryContext): Promise<void>;
  /**
   * Returns the positions of the files that the target knows. For targets that store `batch.end` together with the
   * lines. They need no cursor file.
   */
  positions?(files: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Position>>;
  /** Releases all resources. */
  close(): Promise<void>;
}
