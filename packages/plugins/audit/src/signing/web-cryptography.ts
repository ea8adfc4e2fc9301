import { sha256 } from "@noble/hashes/sha2.js";
import { AuditError } from "../errors.js";
import type { Cryptography } from "./cryptography.js";
import { ECDSA, rawOf } from "./ecdsa.js";
import { ED25519 } from "./key.js";

const keys = new WeakMap<Uint8Array, Promise<CryptoKey>>();

/** The WebCrypto parameters of a type of signature. */
interface Algorithm {
  readonly name: string;
  readonly format: "raw" | "spki";
  readonly key: { readonly name: string; readonly namedCurve?: string };
  readonly verify: { readonly name: string; readonly hash?: string };
}

const algorithms = new Map<number, Algorithm>([
  [ED25519, { name: "Ed25519", format: "raw", key: { name: "Ed25519" }, verify: { name: "Ed25519" } }],
  [
    ECDSA,
    {
      name: "P-256",
      format: "spki",
      key: { name: "ECDSA", namedCurve: "P-256" },
      verify: { name: "ECDSA", hash: "SHA-256" },
    },
  ],
]);

/** Implements `Cryptography` without Node: hashes in JavaScript, signatures with WebCrypto. */
export const webCryptography: Cryptography = {
  sha256,
  async verify(type, publicKey, message, signature) {
    const by = algorithms.get(type);
    const raw = type === ECDSA ? rawOf(signature) : signature;
    if (by === undefined || raw === undefined) return false;
    const key = await importKey(by, publicKey);
    return crypto.subtle.verify(by.verify, key, owned(raw), owned(message));
  },
};

function importKey(by: Algorithm, publicKey: Uint8Array): Promise<CryptoKey> {
  const known = keys.get(publicKey);
  if (known) return known;
  const created = imported(by, publicKey);
  keys.set(publicKey, created);
  return created;
}

async function imported({ name, format, key }: Algorithm, publicKey: Uint8Array): Promise<CryptoKey> {
  // Contrary to its type, absent in a page that did not come over HTTPS or from this machine.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  try {
    if (subtle) return await subtle.importKey(format, owned(publicKey), key, false, ["verify"]);
  } catch (cause) {
    throw unsupported(`does not know ${name}`, { cause });
  }
  throw unsupported("is missing here (a page must come over HTTPS)");
}

const unsupported = (why: string, options?: ErrorOptions): AuditError =>
  new AuditError(
    "ERR_AUDIT_UNSUPPORTED",
    `Signatures cannot be verified: this runtime's WebCrypto ${why}. Use a newer one, or \`verify\` of @suite/audit in Node.`,
    options,
  );

/** Copies bytes so that no other thread can change them: WebCrypto accepts no shared bytes. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
