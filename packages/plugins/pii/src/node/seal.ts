import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivLength = 12;
const macLength = 16;

/** Derives a key for one purpose. Derived keys are independent of each other. */
export const derivedKey = (key: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", `@suite/pii vault: ${purpose}`, 32));

/**
 * Computes a keyed hash (HMAC-SHA-256): without the key, values cannot be guessed. Hashes JSON, so that lone surrogates
 * are preserved.
 */
export const keyedHash = (key: Uint8Array, ...texts: readonly string[]): Buffer =>
  createHmac("sha256", key).update(JSON.stringify(texts)).digest();

/** Seals strings with AES-256-GCM, each as one line of base64url: a random IV, the ciphertext and the MAC. */
export class Seal {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  close(text: string): string {
    const iv = randomBytes(ivLength);
    const sealing = createCipheriv(cipher, this.#key, iv);
    const sealed = [sealing.update(text, "utf8"), sealing.final()];
    return Buffer.concat([iv, ...sealed, sealing.getAuthTag()]).toString("base64url");
  }

  /** Returns the string, or `undefined` if the line is incomplete, was changed, or was sealed with another key. */
  open(line: string): string | undefined {
    const bytes = Buffer.from(line, "base64url");
    if (bytes.length <= ivLength + macLength) return undefined;
    const opening = createDecipheriv(cipher, this.#key, bytes.subarray(0, ivLength));
    opening.setAuthTag(bytes.subarray(-macLength));
    try {
      const text = opening.update(bytes.subarray(ivLength, -macLength));
      return Buffer.concat([text, opening.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}
