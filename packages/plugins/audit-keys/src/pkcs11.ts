import { createHash } from "node:crypto";
import type { PublicKey, Signer } from "@suite/audit";
import { derOf, ECDSA, ED25519, isP256Key, p256Key } from "@suite/audit/internal";
import type * as Pkcs11 from "pkcs11js";
import { AuditKeysError } from "./errors.js";
import { KeyService, needs, type RemoteSignerOptions, signerWith } from "./remote-signer.js";

/** The options of `pkcs11Signer`. */
export interface Pkcs11SignerOptions extends RemoteSignerOptions {
  /** The path of the token's PKCS#11 library. */
  readonly library: string;
  /** The label of the token. */
  readonly token: string;
  /** The user's PIN. It is never printed. */
  readonly pin: string;
  /** The label of the key pair, P-256 or Ed25519. If `id` is also set, both must match. */
  readonly label?: string;
  /** The CKA_ID of the key pair, in hexadecimal digits. */
  readonly id?: string;
}

/** A signer with a key in a token. */
export interface Pkcs11Signer extends Signer {
  /** Ends the session with the token. */
  close(): Promise<void>;
}

// Constants of PKCS #11 3.0. The package has only those of 2.40.
const CKM_EDDSA = 0x1057;
const CKK_EC_EDWARDS = 0x40;
/** OBJECT IDENTIFIER prime256v1, and edwards25519 as an identifier or a name. */
const P256 = "06082a8648ce3d030107";
const EDWARDS = new Set(["06032b6570", "130c656477617264733235353139"]);
const MAX_SIGNATURE = 128;

/**
 * Creates a signer with a key pair in a PKCS#11 token: a hardware security module, a smart card. It signs one message
 * at a time. After a failure it opens a new session.
 *
 * @throws AuditKeysError `ERR_AUDIT_KEYS_SIGNING_FAILED`, `ERR_AUDIT_KEYS_INVALID_KEY`, `ERR_AUDIT_KEYS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const signer = await pkcs11Signer({ name: "example.com/support", library, token: "audit", pin, label: "audit-2026" });
 * ```
 */
export async function pkcs11Signer(options: Pkcs11SignerOptions): Promise<Pkcs11Signer> {
  if (options.label === undefined && options.id === undefined) {
    throw new AuditKeysError(
      "ERR_AUDIT_KEYS_INVALID_OPTION",
      "pkcs11Signer needs the `label` or the `id` of a key pair.",
    );
  }
  const service = new KeyService("The PKCS#11 token", options);
  const { default: sdk } = await import("pkcs11js").catch(needs("@suite/audit-keys", "pkcs11js"));
  const token = new Token(sdk as unknown as typeof Pkcs11, options);
  const key = await service.ask(async () => token.key());
  const signer = signerWith(options, key, (message) => service.ask(() => token.sign(message)));
  return { ...signer, close: () => token.close() };
}

/** A token whose session is opened on demand. */
class Token {
  readonly #sdk: typeof Pkcs11;
  readonly #options: Pkcs11SignerOptions;
  readonly #library: Pkcs11.PKCS11;
  #open:
    | { readonly session: Buffer; readonly handle: Buffer; readonly key: Pick<PublicKey, "type" | "bytes"> }
    | undefined;
  /** The last signature. They run one at a time, since a session supports only one pending signature. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(sdk: typeof Pkcs11, options: Pkcs11SignerOptions) {
    this.#sdk = sdk;
    this.#options = options;
    this.#library = new sdk.PKCS11();
    this.#library.load(options.library);
    try {
      this.#library.C_Initialize({ flags: sdk.CKF_OS_LOCKING_OK });
    } catch (error) {
      // Another signer of this process has already initialized it.
      if ((error as { code?: number }).code !== sdk.CKR_CRYPTOKI_ALREADY_INITIALIZED) throw error;
    }
  }

  key(): Pick<PublicKey, "type" | "bytes"> {
    return this.#session().key;
  }

  sign(message: Uint8Array): Promise<Uint8Array> {
    const signed = this.#last.then(() => this.#sign(message));
    this.#last = signed.catch(() => {});
    return signed;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#drop();
  }

  async #sign(message: Uint8Array): Promise<Uint8Array> {
    try {
      const { session, handle, key } = this.#session();
      const isEdwards = key.type === ED25519;
      const data = isEdwards ? Buffer.from(message) : createHash("sha256").update(message).digest();
      this.#library.C_SignInit(session, { mechanism: isEdwards ? CKM_EDDSA : this.#sdk.CKM_ECDSA }, handle);
      const raw = await this.#library.C_SignAsync(session, data, Buffer.alloc(MAX_SIGNATURE));
      return isEdwards ? new Uint8Array(raw) : derOf(raw);
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  #drop(): void {
    const open = this.#open;
    this.#open = undefined;
    try {
      if (open) this.#library.C_CloseSession(open.session);
    } catch {
      // The session has already ended.
    }
  }

  #session() {
    if (this.#open) return this.#open;
    const { CKF_SERIAL_SESSION, CKU_USER, CKR_USER_ALREADY_LOGGED_IN, CKO_PRIVATE_KEY, CKO_PUBLIC_KEY } = this.#sdk;
    const session = this.#library.C_OpenSession(this.#slot(), CKF_SERIAL_SESSION);
    try {
      this.#library.C_Login(session, CKU_USER, this.#options.pin);
    } catch (error) {
      if ((error as { code?: number }).code !== CKR_USER_ALREADY_LOGGED_IN) throw error;
    }
    const handle = this.#find(session, CKO_PRIVATE_KEY);
    this.#open = { session, handle, key: this.#publicKey(session, this.#find(session, CKO_PUBLIC_KEY)) };
    return this.#open;
  }

  #slot(): Buffer {
    const { token } = this.#options;
    const slots = this.#library
      .C_GetSlotList(true)
      .filter((slot) => this.#library.C_GetTokenInfo(slot).label.replaceAll("\0", " ").trimEnd() === token);
    if (slots.length === 1) return slots[0] as Buffer;
    throw invalid(slots.length === 0 ? "No token has this label." : "Several tokens have this label.");
  }

  #find(session: Buffer, kind: number): Buffer {
    const { label, id } = this.#options;
    const { CKA_CLASS, CKA_LABEL, CKA_ID } = this.#sdk;
    this.#library.C_FindObjectsInit(session, [
      { type: CKA_CLASS, value: kind },
      ...(label === undefined ? [] : [{ type: CKA_LABEL, value: label }]),
      ...(id === undefined ? [] : [{ type: CKA_ID, value: Buffer.from(id, "hex") }]),
    ]);
    try {
      const found = this.#library.C_FindObjects(session, 2);
      if (found.length === 1) return found[0] as Buffer;
      throw invalid(
        found.length === 0
          ? "The token does not contain this key."
          : "The token contains several matching keys. Pass label and id.",
      );
    } finally {
      this.#library.C_FindObjectsFinal(session);
    }
  }

  #publicKey(session: Buffer, handle: Buffer): Pick<PublicKey, "type" | "bytes"> {
    const { CKA_KEY_TYPE, CKA_EC_PARAMS, CKA_EC_POINT, CKK_EC } = this.#sdk;
    const types = [CKA_KEY_TYPE, CKA_EC_PARAMS, CKA_EC_POINT].map((type) => ({ type }));
    const [type, params, point] = this.#library
      .C_GetAttributeValue(session, handle, types)
      .map(({ value }) => value as Buffer);
    const kind = type?.readUInt32LE(0);
    const curve = params?.toString("hex") ?? "";
    // A point is an OCTET STRING: a byte 4, its length, and its bytes.
    const bytes = new Uint8Array(point?.subarray(2) ?? []);
    if (kind === CKK_EC && curve === P256 && isP256Key(p256Key(bytes))) return { type: ECDSA, bytes: p256Key(bytes) };
    if (kind === CKK_EC_EDWARDS && EDWARDS.has(curve) && bytes.length === 32) return { type: ED25519, bytes };
    throw invalid("The key is neither a P-256 nor an Ed25519 key.");
  }
}

const invalid = (message: string): AuditKeysError => new AuditKeysError("ERR_AUDIT_KEYS_INVALID_KEY", message);
