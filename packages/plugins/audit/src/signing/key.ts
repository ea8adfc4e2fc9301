import { fromBase64, toBase64, toHex } from "@suite/kit";
import { AuditError } from "../errors.js";
import type { Sha256 } from "./cryptography.js";
import { ECDSA, isP256Key } from "./ecdsa.js";
import { type KeyPeriod, parsePeriod, strictest } from "./key-period.js";

/** Signature type of Ed25519 in C2SP signed-note. */
export const ED25519 = 0x01;

/** The file in a log's directory with the public keys of all its signers, one per line. */
export const PUBLIC_KEY_FILE = "key.pub";

/** A public key, which verifies signatures. */
export interface PublicKey {
  /** Contains neither spaces nor `+`. */
  readonly name: string;
  /** Signature type of C2SP signed-note: 1 is Ed25519, 2 is ECDSA, here with P-256. */
  readonly type: number;
  /** The encoded public key: 32 bytes for Ed25519, the SubjectPublicKeyInfo in DER for P-256. */
  readonly bytes: Uint8Array;
  /** The period of control by its holder, if specified. */
  readonly period?: KeyPeriod;
}

const keyName = /^[^\s+\p{Cc}]{1,200}$/u;

/**
 * Returns the name of a key if it is valid.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY` for a name that a signed note cannot contain
 */
export function checkKeyName(name: string): string {
  if (typeof name === "string" && keyName.test(name)) return name;
  throw new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "A key's name must have 1 to 200 characters, without spaces and without +. Use a host name and a path, for example example.com/support.",
  );
}

/**
 * Returns the first 4 bytes of SHA-256 over name, newline, signature type and key, as 8 hexadecimal digits. For an
 * ECDSA key, the hash is over the key alone.
 */
export function keyId(key: PublicKey, sha256: Sha256): string {
  if (key.type === ECDSA) return toHex(sha256(key.bytes).subarray(0, 4));
  const name = new TextEncoder().encode(`${key.name}\n`);
  const bytes = new Uint8Array(name.length + 1 + key.bytes.length);
  bytes.set(name);
  bytes[name.length] = key.type;
  bytes.set(key.bytes, name.length + 1);
  return toHex(sha256(bytes).subarray(0, 4));
}

/** Formats a public key as `name+id+base64`, as in Go's sumdb/note and C2SP. */
export function formatPublicKey(key: PublicKey, sha256: Sha256): string {
  return `${key.name}+${keyId(key, sha256)}+${toBase64(Uint8Array.of(key.type, ...key.bytes))}`;
}

/**
 * Parses a verifier key (C2SP signed-note). After a space its period may follow.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`
 */
export function parsePublicKey(text: string, sha256: Sha256): PublicKey {
  const [, verifierKey = "", words = ""] = /^(\S+)(.*)$/.exec(text.trim()) ?? [];
  const key = parseVerifierKey(verifierKey, sha256);
  const period = parsePeriod(words);
  return Object.keys(period).length === 0 ? key : { ...key, period };
}

function parseVerifierKey(text: string, sha256: Sha256): PublicKey {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (name !== undefined && bytes !== undefined && bytes.length > 1) {
    const key = { name, type: bytes[0] as number, bytes: bytes.subarray(1) };
    if (keyId(key, sha256) === id && isWellFormed(key)) return key;
  }
  throw new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "This is not a public key. Expected one line `name+id+base64`, as in key.pub.",
  );
}

/** Returns true if the bytes of a key have the format of its type. Unknown types are not checked. */
export function isWellFormed({ type, bytes }: PublicKey): boolean {
  if (type === ED25519) return bytes.length === 32;
  return type !== ECDSA || isP256Key(bytes);
}

/**
 * Parses public keys, one per line. Lines that begin with `#` are comments.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`
 */
export function parsePublicKeys(text: string, sha256: Sha256): PublicKey[] {
  const keys = new Map<string, PublicKey>();
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const key = parsePublicKey(line, sha256);
    const one = formatPublicKey(key, sha256);
    const period = strictest(keys.get(one)?.period ?? {}, key.period ?? {});
    keys.set(one, Object.keys(period).length === 0 ? key : { ...key, period });
  }
  return [...keys.values()];
}
