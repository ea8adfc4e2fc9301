import { createPublicKey, hash, type KeyObject, verify } from "node:crypto";
import { ED25519 } from "../note/key.js";
import type { Cryptography } from "./crypto.js";

const keys = new WeakMap<Uint8Array, KeyObject>();

/** `Cryptography` on node:crypto. */
export const nodeCryptography: Cryptography = {
  // By way of a string: a buffer that Node makes itself is not of its pool, and costs twice the hash of a node.
  sha256: (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1"),
  verify: (type, publicKey, message, signature) =>
    type === ED25519 && verify(null, message, keyObject(publicKey), signature),
  /** `verify` in the thread pool of Node: as many at a time as it has threads, and the machine cores. */
  verifyAside: (type, publicKey, message, signature) =>
    new Promise((resolve, reject) => {
      if (type !== ED25519) return resolve(false);
      verify(null, message, keyObject(publicKey), signature, (error, valid) =>
        error ? reject(error) : resolve(valid),
      );
    }),
};

function keyObject(publicKey: Uint8Array): KeyObject {
  const known = keys.get(publicKey);
  if (known) return known;
  const x = Buffer.from(publicKey).toString("base64url");
  const made = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  keys.set(publicKey, made);
  return made;
}
