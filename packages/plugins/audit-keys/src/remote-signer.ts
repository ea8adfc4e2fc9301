import { setTimeout as sleep } from "node:timers/promises";
import type { PublicKey, Signer } from "@suite/audit";
import { checkKeyName, ECDSA, ED25519, isP256Key, nodeCryptography, parsePublicKey } from "@suite/audit/internal";
import { within } from "@suite/kit/time";
import { AuditKeysError } from "./errors.js";

/** The options of a remote signer. */
export interface RemoteSignerOptions {
  /** The name of the signer: a host name and a path, such as example.com/support. */
  readonly name: string;
  /** The expected verifier key, as in `key.pub`. Another key is rejected at the start. Default: any key is accepted. */
  readonly publicKey?: string;
  /** Timeout of one request, in milliseconds. Default 2000. */
  readonly timeoutMs?: number;
  /** Maximum number of attempts for a signature before the append fails. Default 3. */
  readonly attempts?: number;
}

/** Sends one request, until the signal is aborted. */
type Send<T> = (signal: AbortSignal) => Promise<T>;

const PAUSE = 100;

/** Sends requests to a key service, with a timeout and a few retries. */
export class KeyService {
  readonly #what: string;
  readonly #timeoutMs: number;
  readonly #attempts: number;

  /** @param what the name of the service, for messages */
  constructor(what: string, { timeoutMs = 2000, attempts = 3 }: RemoteSignerOptions) {
    if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw invalid("timeoutMs must be a number greater than 0.");
    if (!(Number.isSafeInteger(attempts) && attempts > 0)) throw invalid("attempts must be an integer greater than 0.");
    this.#what = what;
    this.#timeoutMs = timeoutMs;
    this.#attempts = attempts;
  }

  /** @throws AuditKeysError `ERR_AUDIT_KEYS_SIGNING_FAILED`; an AuditKeysError that the request throws is not retried */
  async ask<T>(request: Send<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await within(this.#timeoutMs, request, { late: () => tooLate(this.#timeoutMs) });
      } catch (cause) {
        if (AuditKeysError.is(cause)) throw cause;
        if (failures === this.#attempts) {
          const { name } = cause as Error;
          const message = `${this.#what} could not sign or return its key: ${name}, in ${failures} of ${failures} attempts.`;
          throw new AuditKeysError("ERR_AUDIT_KEYS_SIGNING_FAILED", message, { cause });
        }
        await sleep(PAUSE * 2 ** (failures - 1));
      }
    }
  }
}

const tooLate = (timeoutMs: number): DOMException =>
  new DOMException(`No answer within ${timeoutMs} ms.`, "TimeoutError");

/**
 * Creates a signer for a remote key whose public key has been read.
 *
 * @throws AuditKeysError `ERR_AUDIT_KEYS_INVALID_KEY`
 */
export function signerWith(
  { name, publicKey }: RemoteSignerOptions,
  key: Pick<PublicKey, "type" | "bytes">,
  sign: Signer["sign"],
): Signer {
  checkKeyName(name);
  if (publicKey !== undefined) {
    const expected = parsePublicKey(publicKey, nodeCryptography.sha256);
    if (expected.type !== key.type || Buffer.compare(expected.bytes, key.bytes) !== 0) {
      throw new AuditKeysError(
        "ERR_AUDIT_KEYS_INVALID_KEY",
        `The key of ${name} differs from \`publicKey\`. Check if an alias was moved.`,
      );
    }
  }
  return { name, type: key.type, bytes: key.bytes, sign };
}

/** The bytes before the 32 of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const ed25519Prefix = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Returns the key in a SubjectPublicKeyInfo.
 *
 * @throws AuditKeysError `ERR_AUDIT_KEYS_INVALID_KEY` for a key that is neither Ed25519 nor P-256
 */
export function keyOfSpki(spki: Uint8Array): Pick<PublicKey, "type" | "bytes"> {
  const bytes = Buffer.from(spki);
  if (isP256Key(bytes)) return { type: ECDSA, bytes: new Uint8Array(bytes) };
  const { length } = ed25519Prefix;
  if (bytes.length === length + 32 && bytes.subarray(0, length).equals(ed25519Prefix)) {
    return { type: ED25519, bytes: new Uint8Array(bytes.subarray(length)) };
  }
  throw new AuditKeysError(
    "ERR_AUDIT_KEYS_INVALID_KEY",
    "The key is neither an Ed25519 key nor a P-256 key for ECDSA.",
  );
}

/** Creates a function that throws the error of a missing optional package. */
export const needs =
  (entry: string, name: string) =>
  (cause: unknown): never => {
    throw new AuditKeysError(
      "ERR_AUDIT_KEYS_INVALID_OPTION",
      `${entry} needs the \`${name}\` package: npm install ${name}.`,
      {
        cause,
      },
    );
  };

const invalid = (what: string): AuditKeysError =>
  new AuditKeysError("ERR_AUDIT_KEYS_INVALID_OPTION", `Invalid option of a signer: ${what}`);
