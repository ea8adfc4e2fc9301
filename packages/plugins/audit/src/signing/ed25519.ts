import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { fromBase64, toBase64 } from "@suite/kit";
import { AuditError } from "../errors.js";
import { checkKeyName, ED25519, keyId, type PublicKey } from "./key.js";
import { nodeCryptography } from "./node-cryptography.js";
import { type Signer, trust } from "./signer.js";

const PREFIX = "PRIVATE+KEY+";
/** The bytes before the 32 of an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Generates a private key, as the single line that `ed25519Signer` accepts. Do not keep it in the place of the log. */
export function generatePrivateKey(name = "suite-audit"): string {
  checkKeyName(name);
  const seed = randomBytes(32);
  const id = keyId(publicKeyOf(name, seed), nodeCryptography.sha256);
  return `${PREFIX}${name}+${id}+${toBase64(Uint8Array.of(ED25519, ...seed))}`;
}

/**
 * Creates a signer from a private key string: `PRIVATE+KEY+name+id+base64`, the format of Go's sumdb/note.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`
 *
 * @example
 * ```ts
 * fileSink({ dir: "audit", signer: ed25519Signer(process.env.AUDIT_KEY ?? "") });
 * ```
 */
export function ed25519Signer(privateKey: string): Signer {
  if (typeof privateKey !== "string") throw notAKey();
  const [, name, id, encoded] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(privateKey.trim()) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== ED25519) throw notAKey();
  const seed = bytes.subarray(1);
  const publicKey = publicKeyOf(checkKeyName(name), seed);
  if (keyId(publicKey, nodeCryptography.sha256) !== id) throw notAKey();
  const key = privateKeyObject(seed);
  return trust({ ...publicKey, sign: (message) => sign(null, message, key) });
}

const privateKeyObject = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });

function publicKeyOf(name: string, seed: Uint8Array): PublicKey {
  const { x } = createPublicKey(privateKeyObject(seed)).export({ format: "jwk" });
  return { name, type: ED25519, bytes: Buffer.from(x ?? "", "base64url") };
}

const notAKey = (): AuditError =>
  new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "This is not a private key. Expected one line that begins with PRIVATE+KEY+, as `suite-audit keygen` writes it.",
  );
