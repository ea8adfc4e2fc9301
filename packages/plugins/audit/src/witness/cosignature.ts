import { AuditError } from "../errors.js";
import type { Cryptography, Sha256 } from "../signing/cryptography.js";
import { keyId, type PublicKey, parsePublicKey } from "../signing/key.js";
import type { Note } from "../signing/note.js";

/** Signature type of timestamped Ed25519 cosignatures in C2SP signed-note (https://c2sp.org/tlog-cosignature). */
const COSIGNATURE = 0x04;
const ED25519 = 0x01;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** A witness, which cosigns heads that are consistent with those it has seen. */
export interface Witness extends PublicKey {
  /** The submission prefix for heads (https://c2sp.org/tlog-witness). Not needed for verification. */
  readonly url?: string;
}

/**
 * Parses witnesses, one per line: a verifier key of type 4 and, after a space, its URL. Lines that begin with `#` are
 * comments.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`
 */
export function parseWitnesses(text: string, sha256: Sha256): readonly Witness[] {
  const witnesses = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => parseWitness(line, sha256));
  // A duplicate key would count as two witnesses.
  const different = new Set(witnesses.map(({ bytes }) => bytes.join()));
  if (different.size < witnesses.length) throw invalid("A key is listed twice.");
  return witnesses;
}

function parseWitness(line: string, sha256: Sha256): Witness {
  const [verifierKey = "", url, ...more] = line.split(/\s+/);
  const { name, type, bytes } = parsePublicKey(verifierKey, sha256);
  if (type !== COSIGNATURE || bytes.length !== 32) throw invalid("Expected a verifier key of type 4 (cosignature/v1).");
  if (more.length > 0 || (url !== undefined && !/^https?:\/\/\S+$/.test(url)))
    throw invalid("Only a URL can follow a verifier key.");
  return { name, type, bytes, ...(url !== undefined && { url: url.replace(/\/+$/, "") }) };
}

/** A verified cosignature. */
export interface Cosignature {
  readonly witness: Witness;
  /** The time when the witness saw the head, in seconds since the epoch, by its clock. */
  readonly time: number;
  /** The key id and the bytes of the cosignature's line in the note. */
  readonly signature: Note["signatures"][number];
}

/** Returns the valid cosignatures of a note by these witnesses, at most one per witness. Others are ignored. */
export async function cosignaturesOf(
  { text, signatures }: Note,
  witnesses: readonly Witness[],
  crypto: Cryptography,
): Promise<readonly Cosignature[]> {
  const found: Cosignature[] = [];
  for (const witness of witnesses) {
    const id = keyId(witness, crypto.sha256);
    for (const signature of signatures) {
      if (signature.name !== witness.name || signature.keyId !== id) continue;
      const time = await timeOf(signature.signature, text, witness, crypto);
      if (time === undefined) continue;
      found.push({ witness, time, signature });
      break;
    }
  }
  return found;
}

async function timeOf(
  bytes: Uint8Array,
  text: string,
  witness: Witness,
  crypto: Cryptography,
): Promise<number | undefined> {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const time = new DataView(bytes.buffer, bytes.byteOffset, TIME_BYTES).getBigUint64(0);
  // Without a time, a cosignature does not show which head is the newest.
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const message = cosignedMessage(Number(time), text);
  const valid = await crypto.verify(ED25519, witness.bytes, message, bytes.subarray(TIME_BYTES));
  return valid ? Number(time) : undefined;
}

/** Returns the message that a witness signs for a note. */
export const cosignedMessage = (time: number, text: string): Uint8Array =>
  new TextEncoder().encode(`cosignature/v1\ntime ${time}\n${text}`);

const invalid = (why: string): AuditError =>
  new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    `The witnesses cannot be read. Expected one verifier key and its URL per line. ${why}`,
  );
