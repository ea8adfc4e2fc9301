import type { Awaitable } from "@suite/core";
import { AuditError } from "../errors.js";
import { type Checkpoint, formatCheckpoint } from "./checkpoint.js";
import type { Cryptography } from "./cryptography.js";
import { ECDSA } from "./ecdsa.js";
import { ED25519, isWellFormed, keyId, type PublicKey } from "./key.js";
import { formatNote } from "./note.js";

/**
 * Signs checkpoints. `ed25519Signer` creates one from a private key. A custom signer can keep the key elsewhere (a key
 * management service, a token), so that write access to the log is not enough to sign another log.
 */
export interface Signer extends PublicKey {
  /** Returns the signature of bytes: 64 bytes for Ed25519; for P-256 a DER signature over their SHA-256. */
  sign(message: Uint8Array): Awaitable<Uint8Array>;
}

/** Maximum bytes of a signature, for P-256. */
const MAX_SIGNATURE = 72;

/** Signers of this package, whose signatures need no check. */
const trusted = new WeakSet<Signer>();

/** Marks a signer as one of this package. */
export function trust(signer: Signer): Signer {
  trusted.add(signer);
  return signer;
}

/** @throws AuditError `ERR_AUDIT_INVALID_KEY` for a public key that cannot verify signatures */
export function checkSigner(signer: Signer): void {
  const { type, bytes } = signer;
  if ((type === ED25519 || type === ECDSA) && bytes instanceof Uint8Array && isWellFormed(signer)) return;
  throw new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "A signer's public key must be an Ed25519 key (`type` 1, and `bytes` the 32 bytes of the key) or a P-256 key (`type` 2, and `bytes` its SubjectPublicKeyInfo in DER).",
  );
}

/**
 * Signs a checkpoint as a note. The name of the signer is the origin, as tlog-checkpoint advises. Signatures of custom
 * signers are verified: a key that was replaced through an alias signs without an error, but the log could not be
 * verified.
 *
 * @throws AuditError `ERR_AUDIT_SIGNING_FAILED`, `ERR_AUDIT_INVALID_SIGNATURE`
 */
export const signCheckpoint = (checkpoint: Checkpoint, signer: Signer, crypto: Cryptography): Promise<string> =>
  signNote(formatCheckpoint(checkpoint), checkpoint.origin, signer, crypto);

/**
 * Signs a string as a note, under a name.
 *
 * @throws AuditError `ERR_AUDIT_SIGNING_FAILED`, `ERR_AUDIT_INVALID_SIGNATURE`
 */
export async function signNote(
  text: string,
  name: string,
  signer: Signer,
  { sha256, verify }: Cryptography,
): Promise<string> {
  const message = new TextEncoder().encode(text);
  const signature = await signatureOf(message, signer);
  if (!trusted.has(signer) && !(isBytes(signature) && (await verify(signer.type, signer.bytes, message, signature)))) {
    throw new AuditError(
      "ERR_AUDIT_INVALID_SIGNATURE",
      `The signer ${signer.name} returned a signature that its public key does not verify. Nothing was written. Check if its key was replaced.`,
    );
  }
  const id = keyId({ name, type: signer.type, bytes: signer.bytes }, sha256);
  return formatNote({ text, signatures: [{ name, keyId: id, signature }] });
}

async function signatureOf(message: Uint8Array, signer: Signer): Promise<Uint8Array> {
  try {
    return await signer.sign(message);
  } catch (cause) {
    const { code, name } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
    throw new AuditError(
      "ERR_AUDIT_SIGNING_FAILED",
      `The signer ${signer.name} could not sign: ${code ?? name ?? "an error"}. Nothing was written.`,
      { cause },
    );
  }
}

const isBytes = (signature: unknown): boolean => signature instanceof Uint8Array && signature.length <= MAX_SIGNATURE;
