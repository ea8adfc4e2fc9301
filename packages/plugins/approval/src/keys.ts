import { KeyRing, type Signature, type SigningKey } from "@suite/kit/digest";
import { ApprovalError } from "./errors.js";

/** The purpose of a signature, so that a signed decision cannot be used as a request. */
type Purpose = "request" | "decision" | "always";

/** Signs entries of the store and verifies them. Without keys nothing is signed, and the store is trusted. */
export class Keys {
  readonly #ring: KeyRing;

  /** @throws {ApprovalError} `ERR_APPROVAL_OPTION` for a short secret or a duplicate id */
  constructor(keys: readonly SigningKey[] = []) {
    const isKey = (key: Partial<SigningKey> | undefined): boolean =>
      typeof key?.id === "string" && lengthOf(key.secret ?? "") >= 32;
    if (!Array.isArray(keys) || !keys.every(isKey) || new Set(keys.map(({ id }) => id)).size < keys.length) {
      const expected = "a list of { id, secret } with unique ids and secrets of at least 32 bytes";
      throw new ApprovalError("ERR_APPROVAL_OPTION", `The option keys must be ${expected}.`);
    }
    this.#ring = new KeyRing(keys);
  }

  get sign(): boolean {
    return this.#ring.keys.length > 0;
  }

  /** Returns the value with a signature over all other fields, if there are keys. */
  async signed<T extends object>(purpose: Purpose, value: T): Promise<T & { readonly signature?: Signature }> {
    return this.sign ? { ...value, signature: await this.#ring.sign(purposed(purpose, value)) } : value;
  }

  /** Returns true if the signature matches, or if there are no keys. */
  async verify(purpose: Purpose, { signature, ...value }: { readonly signature?: Signature }): Promise<boolean> {
    return !this.sign || this.#ring.verify(purposed(purpose, value), signature);
  }
}

const purposed = (purpose: Purpose, value: object): unknown => [`@suite/approval ${purpose}`, value];

const lengthOf = (secret: string | Uint8Array): number =>
  typeof secret === "string" ? new TextEncoder().encode(secret).length : secret.length;
