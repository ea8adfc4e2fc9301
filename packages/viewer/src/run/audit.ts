/** A record of the audit log, as the page shows it. */
export interface PageRecord {
  readonly file: string;
  /** The position in its file, counted from 0. */
  readonly index: number;
  /** The record as its line in the log contains it. */
  readonly line: string;
  /** True if a signed checkpoint of an undamaged part of its file covers it. */
  readonly proven: boolean;
  readonly time?: string;
  readonly type?: string;
  readonly operation?: string;
  readonly target?: string;
  readonly decision?: string;
  /** The final status, or `intent` before the end. */
  readonly status?: string;
}

/** The verdict on a log, as the page shows it. */
export interface PageVerdict {
  /** `doubt`: the end of the last commit of a file cannot be determined. */
  readonly found: "verified" | "doubt" | "damaged";
  readonly attestation: "self" | "key" | "anchor" | "witness";
  readonly size: number;
  readonly files: number;
  /** Bytes after the last signed checkpoints. */
  readonly tail: number;
  readonly problems: readonly string[];
}

/** The log of one run: its records and the verdict on the log, or the reason of a failure. */
export interface RunLog {
  readonly records: readonly PageRecord[];
  /** True if there were more records than are shown. */
  readonly more?: boolean;
  readonly verdict?: PageVerdict;
  readonly problem?: string;
}

/** The proof of one record and the public keys to check it with, or the reason of a failure. */
export type RecordProof = { readonly proof: string; readonly keys: string } | { readonly problem: string };
