import { createPublicKey, hash, type KeyObject, verify } from "node:crypto";
import type { Cryptography } from "./cryptography.js";
import { ECDSA, rawOf } from "./ecdsa.js";
import { ED25519 } from "./key.js";

const keys = new WeakMap<Uint8Array, KeyObject>();

/** The hash algorithm of each type of signature. Ed25519 hashes the message itself. */
const hashOf = new Map<number, string | null>([
  [ED25519, null],
  [ECDSA, "sha256"],
]);

/** Returns true if a DER signature has its only valid encoding: OpenSSL would accept others that WebCrypto rejects. */
const isSpelt = (type: number, signature: Uint8Array): boolean => type !== ECDSA || rawOf(signature) !== undefined;

/** Implements `Cryptography` with node:crypto. */
export const nodeCryptography: Cryptography = {
  // Through a string: a buffer that Node creates itself is not pooled, and costs twice as much as the hash of a node.
  sha256: (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1"),
  verify: (type, publicKey, message, signature) =>
    hashOf.has(type) &&
    isSpelt(type, signature) &&
    verify(hashOf.get(type), message, keyObject(type, publicKey), signature),
  /** Verifies in the thread pool of Node, as many signatures at a time as it has threads and the machine has cores. */
  verifyAside: (type, publicKey, message, signature) =>
    new Promise((resolve, reject) => {
      if (!hashOf.has(type) || !isSpelt(type, signature)) return resolve(false);
      verify(hashOf.get(type), message, keyObject(type, publicKey), signature, (error, valid) =>
        error ? reject(error) : resolve(valid),
      );
    }),
};

function keyObject(type: number, publicKey: Uint8Array): KeyObject {
  const known = keys.get(publicKey);
  if (known) return known;
  const created = type === ECDSA ? p256Object(publicKey) : ed25519Object(publicKey);
  keys.set(publicKey, created);
  return created;
}

const p256Object = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" });

function ed25519Object(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
