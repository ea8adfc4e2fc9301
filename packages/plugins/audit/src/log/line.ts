import { toHex } from "@suite/kit";
import { AuditError } from "../errors.js";
import { canonicalJson } from "../record/canonical.js";
import type { Sha256 } from "../signing/cryptography.js";
import { MAX_RECORD_BYTES } from "./format.js";

const NEWLINE = 0x0a;

/**
 * Encodes a record for the log: canonical JSON in UTF-8, without newline. If the record is too large, its content is
 * replaced by a mark with the size in bytes and the SHA-256 of the content.
 *
 * @param record any value: only an object is a record. The line of another value could be read as a checkpoint.
 * @throws AuditError `ERR_AUDIT_INVALID_RECORD`, `ERR_AUDIT_RECORD_TOO_LARGE`
 */
export function encodeRecord(record: unknown, sha256: Sha256): Uint8Array {
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw new AuditError("ERR_AUDIT_INVALID_RECORD", `A record must be an object, not ${kindOf(record)}.`);
  const line = Buffer.from(canonicalJson(record));
  if (line.length <= MAX_RECORD_BYTES) return line;
  const { content } = record as { readonly content?: unknown };
  if (content !== undefined) {
    const omitted = Buffer.from(canonicalJson(content));
    const mark = { leftOut: { bytes: omitted.length, sha256: toHex(sha256(omitted)) } };
    const short = Buffer.from(canonicalJson({ ...record, content: mark }));
    if (short.length <= MAX_RECORD_BYTES) return short;
  }
  throw new AuditError(
    "ERR_AUDIT_RECORD_TOO_LARGE",
    `A record has at most ${MAX_RECORD_BYTES} bytes, but this one is larger${content === undefined ? "" : " also without its content"}. Put long values into \`content\`, which can be omitted.`,
  );
}

/** Returns the kind of a value that is not an object. Contains nothing of the value. */
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "an array" : value === null ? "null" : `a value of type ${typeof value}`;

/** Encodes a signed checkpoint for the log: the note as one JSON string, without newline. */
export const encodeCheckpoint = (note: string): Uint8Array => Buffer.from(JSON.stringify(note));

/** Decodes the note in the line of a checkpoint. Returns an empty string if it is absent. Nothing is verified. */
export function decodeCheckpoint(line: string): string {
  try {
    const note: unknown = JSON.parse(line);
    return typeof note === "string" ? note : "";
  } catch {
    return "";
  }
}

/** Joins lines for storage, each with its newline. */
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
