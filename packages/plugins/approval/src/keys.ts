import { canonical } from "./digest.js";
import { ApprovalError } from "./errors.js";

/** A secret that signs requests and decisions. */
export interface SigningKey {
  /** Included in each signature, so that keys can be rotated. */
  readonly id: string;
  /** The secret: at least 32 bytes, from a secret store. */
  readonly secret: string | Uint8Array<ArrayBuffer>;
}

/** A signature over all other fields of the object. */
export interface Signature {
  readonly kid: string;
  readonly mac: string;
}

/** The purpose of a signature, so that a signed decision cannot be used as a request. */
type Purpose = "request" | "decision" | "always";

const encoder = new TextEncoder();

/** Signs with the first key and verifies with any. Without keys nothing is signed, and the store is trusted. */
export class Keys {
  readonly #given: readonly SigningKey[];
  readonly #imported = new Map<SigningKey, Promise<CryptoKey>>();

  /** @throws {ApprovalError} `ERR_APPROVAL_OPTION` for a short secret or a duplicate id */
  constructor(keys: readonly SigningKey[] = []) {
    const isKey = (key: Partial<SigningKey> | undefined): boolean =>
      typeof key?.id === "string" && bytesOf(key.secret ?? "").length >= 32;
    if (!Array.isArray(keys) || !keys.every(isKey) || new Set(keys.map(({ id }) => id)).size < keys.length) {
      const meant = "a list of { id, secret } with unique ids and secrets of at least 32 bytes";
      throw new ApprovalError("ERR_APPROVAL_OPTION", `The option keys must be ${meant}.`);
    }
    this.#given = keys;
  }

  get sign(): boolean {
    return this.#given.length > 0;
  }

  /** Returns the value with a signature, if there are keys. */
  async signed<T extends object>(purpose: Purpose, value: T): Promise<T & { readonly signature?: Signature }> {
    const [key] = this.#given;
    if (key === undefined) return value;
    const mac = await crypto.subtle.sign("HMAC", await this.#import(key), textOf(purpose, value));
    return { ...value, signature: { kid: key.id, mac: btoa(String.fromCharCode(...new Uint8Array(mac))) } };
  }

  /** Returns true if the signature matches. WebCrypto compares in constant time. */
  async verify(purpose: Purpose, { signature, ...value }: { readonly signature?: Signature }): Promise<boolean> {
    if (!this.sign) return true;
    const key = this.#given.find(({ id }) => id === signature?.kid);
    if (key === undefined || typeof signature?.mac !== "string") return false;
    const mac = decoded(signature.mac);
    return mac !== undefined && crypto.subtle.verify("HMAC", await this.#import(key), mac, textOf(purpose, value));
  }

  #import(key: SigningKey): Promise<CryptoKey> {
    let imported = this.#imported.get(key);
    if (imported === undefined) {
      imported = importHmac(bytesOf(key.secret));
      this.#imported.set(key, imported);
    }
    return imported;
  }
}

/** Imports a key for HMAC-SHA-256. */
export const importHmac = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);

/** Decodes base64. Returns `undefined` if the string is not valid. */
export function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const bytesOf = (secret: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof secret === "string" ? encoder.encode(secret) : secret;

const textOf = (purpose: Purpose, value: unknown): Uint8Array<ArrayBuffer> =>
  encoder.encode(canonical([`@suite/approval ${purpose}`, value]));
