import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { AuditError } from "../errors.js";
import { canonicalJson, type Json, type JsonObject } from "../record/canonical.js";
import type { AuditRecord } from "../record/record.js";
import { subjectKid } from "./subject-keys.js";

/** Content that only the subject's key decrypts: the value of `content.encrypted`. */
export interface Encrypted {
  /** AES-256 in Galois/Counter Mode, by its JOSE name. */
  readonly alg: "A256GCM";
  /** Id of the subject's key. */
  readonly kid: string;
  /** The nonce: 96 random bits, base64url. */
  readonly iv: string;
  /** Ciphertext followed by the tag of 16 bytes, base64url. */
  readonly ciphertext: string;
}

/**
 * The members of a record with personal data of its subject. They are encrypted together, so that deleting one key
 * erases all of them.
 */
interface Sealed {
  readonly content?: Json;
  /** The message of the error. */
  readonly message?: string;
  readonly onBehalfOf?: string;
}

/** Maximum size of the plaintext: as base64url it leaves room for the rest of a record. */
const MAX_PLAINTEXT = 44 * 1024;
const TAG_BYTES = 16;
/** One key may encrypt 2^32 records with random nonces (NIST SP 800-38D). No subject has as many. */
const IV_BYTES = 12;

/** Encrypts the personal data of a record for storage, and replaces the user's id with the id of the key. */
export function seal(record: AuditRecord, key: Uint8Array): AuditRecord {
  const { kid, secret } = keyOf(key);
  const { content, actor, outcome } = record;
  const { message, ...error } = outcome?.error ?? { type: "" };
  const sealed: Sealed = {
    ...(content !== undefined && { content }),
    ...(message !== undefined && { message }),
    ...(actor?.onBehalfOf !== undefined && { onBehalfOf: actor.onBehalfOf }),
  };
  return {
    ...record,
    ...(actor?.onBehalfOf !== undefined && { actor: { ...actor, onBehalfOf: kid } }),
    ...(message !== undefined && outcome && { outcome: { ...outcome, error } }),
    ...(Object.keys(sealed).length > 0 && {
      content: { encrypted: encrypt(record, kid, secret, plaintextOf(sealed)) },
    }),
  };
}

/**
 * Reverses `seal`.
 *
 * @throws AuditError `ERR_AUDIT_DECRYPTION_FAILED`
 */
export function unseal(record: AuditRecord, encrypted: Encrypted, key: Uint8Array): AuditRecord {
  const { content: _, ...rest } = record;
  const { content, message, onBehalfOf } = decrypt(record, encrypted, keyOf(key).secret);
  const { actor, outcome } = record;
  return {
    ...rest,
    ...(onBehalfOf !== undefined && { actor: { ...actor, onBehalfOf } }),
    ...(message !== undefined && outcome?.error && { outcome: { ...outcome, error: { ...outcome.error, message } } }),
    ...(content !== undefined && { content }),
  };
}

/** Returns the encrypted part of a record, if it has one. */
export function encryptedOf({ content }: AuditRecord): Encrypted | undefined {
  const { encrypted } = (content ?? {}) as { readonly encrypted?: JsonObject };
  if (typeof encrypted !== "object" || encrypted === null) return undefined;
  const { alg, kid, iv, ciphertext } = encrypted;
  if (alg !== "A256GCM" || typeof kid !== "string") return undefined;
  return typeof iv === "string" && typeof ciphertext === "string" ? { alg, kid, iv, ciphertext } : undefined;
}

function plaintextOf(sealed: Sealed): Buffer {
  const complete = Buffer.from(canonicalJson(sealed));
  if (complete.length <= MAX_PLAINTEXT || sealed.content === undefined) return complete;
  const content = Buffer.from(canonicalJson(sealed.content));
  const leftOut = { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
  return Buffer.from(canonicalJson({ ...sealed, content: { leftOut } }));
}

function encrypt(record: AuditRecord, kid: string, key: KeyObject, plaintext: Buffer): Encrypted & JsonObject {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(boundTo(record));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { alg: "A256GCM", kid, iv: iv.toString("base64url"), ciphertext: ciphertext.toString("base64url") };
}

function decrypt(record: AuditRecord, { kid, iv, ciphertext }: Encrypted, key: KeyObject): Sealed {
  try {
    const bytes = Buffer.from(ciphertext, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), { authTagLength: TAG_BYTES })
      .setAAD(boundTo(record))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(plaintext.toString("utf8")) as Sealed;
  } catch (cause) {
    throw new AuditError(
      "ERR_AUDIT_DECRYPTION_FAILED",
      `The encrypted content of record ${record.id} cannot be decrypted with key ${kid}. It was changed, or copied from another record.`,
      { cause },
    );
  }
}

/** The authenticated data: a ciphertext that was moved to another record cannot be decrypted. */
const boundTo = ({ id, type, stage }: AuditRecord): Buffer =>
  Buffer.from(`suite-audit 1\n${id}\n${type}\n${stage}\ncontent`, "utf8");

const known = new WeakMap<Uint8Array, { readonly kid: string; readonly secret: KeyObject }>();

function keyOf(key: Uint8Array) {
  let entry = known.get(key);
  if (entry === undefined) {
    entry = { kid: subjectKid(key), secret: createSecretKey(key) };
    known.set(key, entry);
  }
  return entry;
}
