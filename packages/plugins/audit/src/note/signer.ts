import type { Awaitable } from "@suite/core";
import type { Sha256 } from "../crypto/crypto.js";
import { type Checkpoint, formatCheckpoint } from "./checkpoint.js";
import { keyId, type PublicKey } from "./key.js";
import { formatNote } from "./note.js";

/**
 * Signs checkpoints. `ed25519Signer` makes one of a private key; one of your own keeps the key elsewhere (a key management
 * service, a token), where whoever can write the log cannot sign another.
 */
export interface Signer extends PublicKey {
  /** The signature of some bytes: 64 bytes for Ed25519. */
  sign(message: Uint8Array): Awaitable<Uint8Array>;
}

/** The checkpoint as a signed note. The key signs under the name of the origin, as tlog-checkpoint advises. */
export async function signCheckpoint(checkpoint: Checkpoint, signer: Signer, sha256: Sha256): Promise<string> {
  const text = formatCheckpoint(checkpoint);
  const signature = await signer.sign(new TextEncoder().encode(text));
  const name = checkpoint.origin;
  const id = keyId({ name, type: signer.type, bytes: signer.bytes }, sha256);
  return formatNote({ text, signatures: [{ name, keyId: id, signature }] });
}
