import { fromBase64, toBase64 } from "@suite/kit";
import { AuditError } from "../errors.js";
import { HASH_BYTES } from "./hashing.js";

/** A proof that a record is in a log, as a C2SP tlog-proof (https://c2sp.org/tlog-proof), stored as `.tlog-proof`. */
export interface InclusionText {
  readonly kind: "inclusion";
  /** The stored record: the `extra` data of the proof, so that the proof is complete by itself. */
  readonly record: Uint8Array;
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** A signed note. */
  readonly checkpoint: string;
}

/**
 * A proof that a log begins with the records of an earlier checkpoint, in the format for witnesses
 * (https://c2sp.org/tlog-witness).
 */
export interface ConsistencyText {
  readonly kind: "consistency";
  readonly oldSize: number;
  readonly hashes: readonly Uint8Array[];
  /** A signed note. */
  readonly checkpoint: string;
}

const TLOG_PROOF = "c2sp.org/tlog-proof@v1";
/** Even the largest tree has fewer levels. */
const MAX_HASHES = 64;

export function formatProof(proof: InclusionText | ConsistencyText): string {
  const head =
    proof.kind === "inclusion"
      ? [TLOG_PROOF, `extra ${toBase64(proof.record)}`, `index ${proof.index}`]
      : [`old ${proof.oldSize}`];
  return [...head, ...proof.hashes.map(toBase64), "", proof.checkpoint].join("\n");
}

/** @throws AuditError `ERR_AUDIT_INVALID_PROOF` */
export function parseProof(text: string): InclusionText | ConsistencyText {
  const split = text.indexOf("\n\n");
  const lines = text.slice(0, Math.max(split, 0)).split("\n");
  const checkpoint = text.slice(split + 2);
  if (lines[0] === TLOG_PROOF) {
    const record = fromBase64(after("extra ", lines[1]));
    if (!record) throw invalid("It does not contain a record in the form that `prove` writes.");
    return {
      kind: "inclusion",
      record,
      index: count(after("index ", lines[2])),
      hashes: hashes(lines.slice(3)),
      checkpoint,
    };
  }
  return { kind: "consistency", oldSize: count(after("old ", lines[0])), hashes: hashes(lines.slice(1)), checkpoint };
}

function after(prefix: string, line: string | undefined): string {
  if (line?.startsWith(prefix)) return line.slice(prefix.length);
  throw invalid("It is neither a tlog-proof nor a consistency proof.");
}

function count(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw invalid("An index or a size is not a number.");
}

function hashes(lines: readonly string[]): readonly Uint8Array[] {
  const found = lines.map(fromBase64).filter((hash) => hash?.length === HASH_BYTES);
  if (found.length === lines.length && found.length <= MAX_HASHES) return found as readonly Uint8Array[];
  throw invalid("Its hashes are not valid tree hashes.");
}

const invalid = (why: string): AuditError =>
  new AuditError("ERR_AUDIT_INVALID_PROOF", `The proof cannot be read. ${why}`);
