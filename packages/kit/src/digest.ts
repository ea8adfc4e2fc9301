import type { RuntimeContext } from "@suite/core";
import { canonicalWriter } from "./canonical.js";
import { fromBase64, toBase64, toHex } from "./encoding.js";

const encoder = new TextEncoder();

/** Returns JSON with sorted keys, so that equal values have the same string. The value must be JSON already. */
export const canonical: (value: unknown) => string = canonicalWriter();

/** Returns the SHA-256 of a value's canonical JSON, in hex. The value must be JSON already. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", encoder.encode(canonical(value)));
  return toHex(bytes);
}

/** The parts of a tool call that an approval is bound to. */
export interface BoundCall extends Pick<RuntimeContext, "runId" | "userId" | "tenantId"> {
  readonly tool: string;
  /** The id of the tool call in its run. */
  readonly id: string;
  /** JSON. */
  readonly arguments: unknown;
}

/**
 * Returns the digest that binds a decision to a tool call: the same in every process, and different for another tool,
 * other arguments, another caller or another run.
 */
export const callDigest = ({ runId, userId, tenantId, tool, id, arguments: args }: BoundCall): Promise<string> =>
  digestOf({ run: runId, user: userId, tenant: tenantId, tool, call: id, arguments: args });

/** A secret that signs values. */
export interface SigningKey {
  /** Included in each signature, so that keys can be rotated. */
  readonly id: string;
  /** The secret: at least 32 bytes, from a secret store. */
  readonly secret: string | Uint8Array<ArrayBuffer>;
}

/** A signature: the id of its key and an HMAC-SHA-256 in base64. */
export interface Signature {
  readonly kid: string;
  readonly mac: string;
}

/** Signs JSON values with the first key and verifies with any of them. */
export class KeyRing {
  readonly #imported = new Map<SigningKey, Promise<CryptoKey>>();

  constructor(readonly keys: readonly SigningKey[]) {}

  /** Signs the canonical JSON of a value. There must be a key. */
  async sign(value: unknown): Promise<Signature> {
    const [key] = this.keys as readonly [SigningKey];
    const mac = await crypto.subtle.sign("HMAC", await this.#import(key), encoder.encode(canonical(value)));
    return { kid: key.id, mac: toBase64(new Uint8Array(mac)) };
  }

  /** Returns the key that a signature names, or `undefined` if it is not in the ring. */
  keyOf(signature: Partial<Signature> | undefined): SigningKey | undefined {
    return this.keys.find(({ id }) => id === signature?.kid);
  }

  /** Returns true if the signature is valid. WebCrypto compares in constant time. */
  async verify(value: unknown, signature: Partial<Signature> | undefined): Promise<boolean> {
    const key = this.keyOf(signature);
    if (key === undefined || typeof signature?.mac !== "string") return false;
    const mac = fromBase64(signature.mac);
    if (mac === undefined) return false;
    return crypto.subtle.verify("HMAC", await this.#import(key), mac, encoder.encode(canonical(value)));
  }

  #import(key: SigningKey): Promise<CryptoKey> {
    let imported = this.#imported.get(key);
    if (imported === undefined) {
      imported = importHmac(typeof key.secret === "string" ? encoder.encode(key.secret) : key.secret);
      this.#imported.set(key, imported);
    }
    return imported;
  }
}

/** Imports a secret for HMAC-SHA-256. */
export const importHmac = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
