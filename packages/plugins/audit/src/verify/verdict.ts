/** The kinds of damage that a log can have. Closed: a new kind is a new minor version. */
export type ProblemKind =
  /** A line that is neither a record nor a checkpoint. */
  | "unreadable_line"
  /** Records differ from those that were signed: one was changed, or moved. */
  | "record_altered"
  | "record_missing"
  | "record_inserted"
  | "record_repeated"
  /** A checkpoint that cannot be read, or whose signature is wrong. */
  | "checkpoint_altered"
  | "checkpoint_missing"
  | "checkpoint_repeated"
  /** A checkpoint of another file, or of a renamed one. */
  | "checkpoint_foreign"
  /** Signed by a key that was not given. */
  | "unknown_key"
  /** Signed by a key before or after the period in which it was to be used. */
  | "key_out_of_period"
  /** Signed by a key after it was revoked: whoever has it can have written it. */
  | "key_revoked"
  /** The first record does not say which files were there before. */
  | "opening_missing"
  /** A file of another log, which the same key signed. */
  | "file_foreign"
  /** Fewer witnesses than were asked for have cosigned any head of the log. */
  | "not_witnessed"
  /** A head that witnesses have cosigned is not what stands in the folder of heads. */
  | "heads_altered"
  /** A file that another file names, or an anchor, is gone. */
  | "file_missing"
  /** A file ends before what another file saw of it, or an anchor. */
  | "file_shortened"
  /** A file has another history than another file saw, or an anchor. */
  | "file_rewritten";

/** One damage, and where it is. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly file: string;
  /** The first line in question, from 1, where the damage has a place in the file. */
  readonly line?: number;
  /** The last line in question, where it cannot be told which of several it is: they share one signature. */
  readonly lastLine?: number;
  /** Index in its file, from 0, of the first record in question. */
  readonly index?: number;
  /**
   * True where it cannot be told whether an acknowledged record was changed or a power failure met a commit on its way to
   * the disk: the damage is in the last commit of a file that was not closed, and no anchor names it.
   */
  readonly doubt?: true;
  /** The finding, for people. It holds nothing of the records. */
  readonly message: string;
}

/** The findings about one file. */
export interface FileVerdict {
  readonly file: string;
  /** Records that are covered by a valid signed head, up to the first damage. */
  readonly size: number;
  /** The root of these, base64; absent where there are none. */
  readonly root?: string;
  /** Records that were read: more than `size` where the last ones were not acknowledged, or there is damage. */
  readonly records: number;
  /** Bytes after the last checkpoint: unproven. A process that was killed leaves such, and so does whoever adds to the file. */
  readonly tail: number;
  /** The number of its records that an anchor covers, itself or through what other files say of this one. */
  readonly anchored: number;
}

/** The signatures of one key in a log. */
export interface KeyVerdict {
  readonly name: string;
  /** The id of the verifier key: 8 hexadecimal digits. */
  readonly id: string;
  /**
   * The time from which it was its holder's, as stands beside the key: ISO 8601, or the last checkpoint that counts, as
   * FILE#SIZE.
   */
  readonly from?: string;
  readonly until?: string;
  readonly revoked?: string;
  /** The number of files in which it has signed, and of records. */
  readonly files: number;
  readonly records: number;
}

/** The witnesses' cosignatures, where they were asked about. */
export interface WitnessedVerdict {
  /** The number of witnesses that were asked for, of so many. */
  readonly policy: number;
  readonly of: number;
  /** The number of heads of the log that the newest cosigned one stands for. */
  readonly heads: number;
  /** The time when as many as were asked for had cosigned that one, by their clocks: ISO 8601. */
  readonly time?: string;
  /** The witnesses that cosigned it, and when. */
  readonly by: readonly { readonly name: string; readonly time: string }[];
}

/** The verdict of `verify`. */
export interface Verdict {
  /** Whether there is no problem, not even one with a `doubt`. */
  readonly ok: boolean;
  /**
   * The ground that the verdict rests on. `self`: on a public key from the log's own directory, so that whoever holds the signing key
   * can have written another log. `key`: on a key that was given. `anchor`: on a checkpoint that was kept elsewhere.
   * `witness`: on heads that witnesses have cosigned.
   */
  readonly attestation: "self" | "key" | "anchor" | "witness";
  /** Records covered by valid signed heads, over all files. */
  readonly size: number;
  /** Records read, over all files. */
  readonly records: number;
  /** Bytes after the last checkpoints, over all files. */
  readonly tail: number;
  /** Records that the anchors cover, over all files. */
  readonly anchored: number;
  readonly problems: readonly Problem[];
  readonly files: readonly FileVerdict[];
  /** The keys that were given, and what each has signed. */
  readonly keys: readonly KeyVerdict[];
  /** The part of the log that witnesses hold; absent where none were asked about. */
  readonly witnessed?: WitnessedVerdict;
  /** Names of files that retention deleted, as records of the log say. */
  readonly deleted: readonly string[];
}
