import { AuditError } from "../errors.js";
import { canonicalJson } from "../record/canonical.js";
import type { Sha256 } from "../signing/cryptography.js";
import { toHex } from "../signing/key.js";
import { MAX_RECORD_BYTES } from "./format.js";

const NEWLINE = 0x0a;

/**
 * A record as it is stored: canonical JSON, in UTF-8, without newline. Content that makes it too large is left out, and
 * a mark with its size in bytes and its SHA-256 stands in its place.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_RECORD`, `ERR_AUDIT_RECORD_TOO_LARGE`
 */
export function encodeRecord(record: object, sha256: Sha256): Uint8Array {
  if (Array.isArray(record))
    throw new AuditError("ERR_AUDIT_INVALID_RECORD", "A record must be an object, not an array.");
  const line = Buffer.from(canonicalJson(record));
  if (line.length <= MAX_RECORD_BYTES) return line;
  const { content } = record as { readonly content?: unknown };
  if (content !== undefined) {
    const left = Buffer.from(canonicalJson(content));
    const mark = { leftOut: { bytes: left.length, sha256: toHex(sha256(left)) } };
    const short = Buffer.from(canonicalJson({ ...record, content: mark }));
    if (short.length <= MAX_RECORD_BYTES) return short;
  }
  throw new AuditError(
    "ERR_AUDIT_RECORD_TOO_LARGE",
    `A record takes at most ${MAX_RECORD_BYTES} bytes, and this one is larger${content === undefined ? "" : " also without its content"}. Put what is long into \`content\`, which may be left out.`,
  );
}

/** A signed checkpoint as it is stored: the note as one JSON string, without newline. */
export const encodeCheckpoint = (note: string): Uint8Array => Buffer.from(JSON.stringify(note));

/** The note in the line of a checkpoint; empty where it holds none. Nothing is verified. */
export function decodeCheckpoint(line: string): string {
  try {
    const note: unknown = JSON.parse(line);
    return typeof note === "string" ? note : "";
  } catch {
    return "";
  }
}

/** Lines as they are stored, each with its newline. */
export function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let end = 0;
  for (const line of lines) {
    bytes.set(line, end);
    end += line.length;
    bytes[end++] = NEWLINE;
  }
  return bytes;
}
