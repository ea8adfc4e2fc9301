import { sha256 } from "@noble/hashes/sha2.js";
import { AuditError } from "../errors.js";
import { ED25519 } from "../note/key.js";
import type { Cryptography } from "./crypto.js";

const keys = new WeakMap<Uint8Array, Promise<CryptoKey>>();

/** `Cryptography` where there is no Node: hashes in JavaScript, signatures by WebCrypto. */
export const webCryptography: Cryptography = {
  sha256,
  async verify(type, publicKey, message, signature) {
    if (type !== ED25519) return false;
    const key = await importKey(publicKey);
    return crypto.subtle.verify("Ed25519", key, owned(signature), owned(message));
  },
};

function importKey(publicKey: Uint8Array): Promise<CryptoKey> {
  const known = keys.get(publicKey);
  if (known) return known;
  const made = importEd25519(publicKey);
  keys.set(publicKey, made);
  return made;
}

async function importEd25519(publicKey: Uint8Array): Promise<CryptoKey> {
  // Absent, whatever its type says, in a page that did not come over HTTPS or from this machine.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  try {
    if (subtle) return await subtle.importKey("raw", owned(publicKey), "Ed25519", false, ["verify"]);
  } catch (cause) {
    throw unsupported("does not know Ed25519", { cause });
  }
  throw unsupported("is missing here (a page must come over HTTPS)");
}

const unsupported = (why: string, options?: ErrorOptions): AuditError =>
  new AuditError(
    "ERR_AUDIT_UNSUPPORTED",
    `Signatures cannot be verified: this runtime's WebCrypto ${why}. Use a newer one, or \`verify\` of @suite/audit in Node.`,
    options,
  );

/** Bytes that no other thread can change meanwhile: WebCrypto takes no others. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
