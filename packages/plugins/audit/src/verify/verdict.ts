/** The kinds of damage that a log can have. Closed: a new kind is a new minor version. */
export type ProblemKind =
  /** A line that is neither a record nor a checkpoint. */
  | "unreadable_line"
  /** Records differ from the signed ones: one was changed or moved. */
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
  /** Signed by an unknown key. */
  | "unknown_key"
  /** Signed by a key outside its period. */
  | "key_out_of_period"
  /** Signed by a key after it was revoked: anyone who has the key can have written it. */
  | "key_revoked"
  /** The first record does not contain the heads of the earlier files. */
  | "opening_missing"
  /** A file of another log that the same key signed. */
  | "file_foreign"
  /** Fewer witnesses than required have cosigned any head of the log. */
  | "not_witnessed"
  /** The files in the folder of heads do not match a head that witnesses cosigned. */
  | "heads_altered"
  /** A file that another file or an anchor names is missing. */
  | "file_missing"
  /** A file ends before the head that another file or an anchor recorded. */
  | "file_shortened"
  /** A file has another history than the one that another file or an anchor recorded. */
  | "file_rewritten";

/** A problem, and its place. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly file: string;
  /** The first affected line, from 1, if the damage has a place in the file. */
  readonly line?: number;
  /** The last affected line, if the damaged one of several is unknown because they share one signature. */
  readonly lastLine?: number;
  /** Index of the first affected record in its file, from 0. */
  readonly index?: number;
  /**
   * True if the cause is unknown: either an acknowledged record was changed, or a power failure hit a commit before it
   * was on disk. The damage is in the last commit of a file that was not closed, and no anchor covers it.
   */
  readonly doubt?: true;
  /** A message for people. It contains nothing of the records. */
  readonly message: string;
}

/** The findings about one file. */
export interface FileVerdict {
  readonly file: string;
  /** Number of records covered by a valid signed head, up to the first damage. */
  readonly size: number;
  /** The root of these records, base64. Absent without records. */
  readonly root?: string;
  /**
   * Number of records that were read. Larger than `size` if the last ones were not acknowledged, or if there is damage.
   */
  readonly records: number;
  /**
   * Bytes after the last checkpoint, which are unproven. A killed process leaves them, and so does an attacker who
   * appends to the file.
   */
  readonly tail: number;
  /** Number of its records that an anchor covers, directly or through heads in other files. */
  readonly anchored: number;
}

/** The signatures of one key in a log. */
export interface KeyVerdict {
  readonly name: string;
  /** The id of the verifier key: 8 hexadecimal digits. */
  readonly id: string;
  /**
   * The key's period, as specified after the key: ISO 8601, or FILE#SIZE for the last valid checkpoint before a
   * revocation.
   */
  readonly from?: string;
  readonly until?: string;
  readonly revoked?: string;
  /** The number of files and of records that it has signed. */
  readonly files: number;
  readonly records: number;
}

/** The cosignatures of the witnesses, if witnesses were requested. */
export interface WitnessedVerdict {
  /** The number of witnesses that must cosign, and their total number. */
  readonly policy: number;
  readonly of: number;
  /** The number of heads of the log that the newest cosigned one covers. */
  readonly heads: number;
  /** The time when enough witnesses had cosigned that head, by their clocks: ISO 8601. */
  readonly time?: string;
  /** The witnesses that cosigned it, with the time. */
  readonly by: readonly { readonly name: string; readonly time: string }[];
}

/** The verdict of `verify`. */
export interface Verdict {
  /** True if no problem was found, not even one with a `doubt`. */
  readonly ok: boolean;
  /**
   * The basis of the verdict. `self`: a public key from the log's directory, so that anyone who has the signing key can
   * have written another log. `key`: a key that the caller passed. `anchor`: a checkpoint that was kept elsewhere.
   * `witness`: heads that witnesses have cosigned.
   */
  readonly attestation: "self" | "key" | "anchor" | "witness";
  /** Number of records covered by valid signed heads, over all files. */
  readonly size: number;
  /** Number of records read, over all files. */
  readonly records: number;
  /** Bytes after the last checkpoints, over all files. */
  readonly tail: number;
  /** Number of records that the anchors cover, over all files. */
  readonly anchored: number;
  readonly problems: readonly Problem[];
  readonly files: readonly FileVerdict[];
  /** The public keys and their signatures. */
  readonly keys: readonly KeyVerdict[];
  /** The part of the log that witnesses have seen. Absent if no witnesses were requested. */
  readonly witnessed?: WitnessedVerdict;
  /** Names of files that retention deleted, according to records of the log. */
  readonly deleted: readonly string[];
}
