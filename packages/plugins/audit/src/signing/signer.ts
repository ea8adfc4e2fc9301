import type { Awaitable } from "@suite/core";
import { AuditError } from "../errors.js";
import { type Checkpoint, formatCheckpoint } from "./checkpoint.js";
import type { Cryptography } from "./cryptography.js";
import { ECDSA } from "./ecdsa.js";
import { ED25519, isWellFormed, keyId, type PublicKey } from "./key.js";
import { formatNote } from "./note.js";

/**
 * Signs checkpoints. `ed25519Signer` makes one of a private key; one of your own keeps the key elsewhere (a key management
 * service, a token), where whoever can write the log cannot sign another.
 */
export interface Signer extends PublicKey {
  /** The signature of some bytes: 64 bytes for Ed25519; for P-256 of their SHA-256, in DER. */
  sign(message: Uint8Array): Awaitable<Uint8Array>;
}

/** One of P-256 takes 72 bytes at most. */
const MAX_SIGNATURE = 72;

/** Signers whose signatures need no check, since this package makes them itself. */
const trusted = new WeakSet<Signer>();

/** Says that a signer is this package's own. */
export function trust(signer: Signer): Signer {
  trusted.add(signer);
  return signer;
}

/** @throws AuditError `ERR_AUDIT_INVALID_KEY` for a public key that nobody could verify a signature with. */
export function checkSigner(signer: Signer): void {
  const { type, bytes } = signer;
  if ((type === ED25519 || type === ECDSA) && bytes instanceof Uint8Array && isWellFormed(signer)) return;
  throw new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "A signer's public key must be one of Ed25519 (`type` 1, and `bytes` the 32 bytes of the key) or of P-256 (`type` 2, and `bytes` its SubjectPublicKeyInfo in DER).",
  );
}

/**
 * The checkpoint as a signed note. The key signs under the name of the origin, as tlog-checkpoint advises. What a signer of
 * the user's gives is verified: a key that was replaced behind an alias signs well, and nobody could verify the log.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_SIGNATURE`
 */
export const signCheckpoint = (checkpoint: Checkpoint, signer: Signer, crypto: Cryptography): Promise<string> =>
  signNote(formatCheckpoint(checkpoint), checkpoint.origin, signer, crypto);

/** A text as a signed note, under a name. @throws AuditError `ERR_AUDIT_INVALID_SIGNATURE` */
export async function signNote(
  text: string,
  name: string,
  signer: Signer,
  { sha256, verify }: Cryptography,
): Promise<string> {
  const message = new TextEncoder().encode(text);
  const signature = await signer.sign(message);
  if (!trusted.has(signer) && !(isBytes(signature) && (await verify(signer.type, signer.bytes, message, signature)))) {
    throw new AuditError(
      "ERR_AUDIT_INVALID_SIGNATURE",
      `What the signer ${signer.name} gave is not a signature by its public key: nothing was written. Was its key replaced?`,
    );
  }
  const id = keyId({ name, type: signer.type, bytes: signer.bytes }, sha256);
  return formatNote({ text, signatures: [{ name, keyId: id, signature }] });
}

const isBytes = (signature: unknown): boolean => signature instanceof Uint8Array && signature.length <= MAX_SIGNATURE;
