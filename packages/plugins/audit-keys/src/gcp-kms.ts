import { createHash, createPublicKey } from "node:crypto";
import type { Signer } from "@suite/audit";
import { ED25519 } from "@suite/audit/internal";
import { AuditKeysError } from "./errors.js";
import { KeyService, keyOfSpki, needs, type RemoteSignerOptions, signerWith } from "./remote-signer.js";

/** The required part of a `KeyManagementServiceClient` of `@google-cloud/kms`. */
export interface GcpKmsClient {
  getPublicKey(request: object, options?: object): Promise<readonly unknown[]>;
  asymmetricSign(request: object, options?: object): Promise<readonly unknown[]>;
}

/** The options of `gcpKmsSigner`. */
export interface GcpKmsSignerOptions extends RemoteSignerOptions {
  /**
   * `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…`, with the algorithm EC_SIGN_P256_SHA256 or
   * EC_SIGN_ED25519.
   */
  readonly keyVersion: string;
  /** The client. Default: one with the application's default credentials. */
  readonly client?: GcpKmsClient;
}

/** The service's responses with a key version or a signature. */
interface KeyAnswer {
  readonly name?: string | null;
  readonly pem?: string | null;
  readonly signature?: Uint8Array | string | null;
}

const version = /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/;

/**
 * Creates a signer with a key version in Google Cloud KMS. The version is part of its name, so that no other version
 * can replace it.
 *
 * @throws AuditKeysError `ERR_AUDIT_KEYS_SIGNING_FAILED`, `ERR_AUDIT_KEYS_INVALID_KEY`, `ERR_AUDIT_KEYS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const signer = await gcpKmsSigner({ name: "example.com/support", keyVersion: process.env.AUDIT_KEY_VERSION ?? "" });
 * ```
 */
export async function gcpKmsSigner(options: GcpKmsSignerOptions): Promise<Signer> {
  const { keyVersion: name, timeoutMs = 2000 } = options;
  if (!version.test(name)) {
    const what = "keyVersion must name a version: projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/1.";
    throw new AuditKeysError("ERR_AUDIT_KEYS_INVALID_OPTION", `gcpKmsSigner: ${what}`);
  }
  const service = new KeyService("Google Cloud KMS", options);
  const client = options.client ?? (await makeClient());
  const call = { timeout: timeoutMs, retry: noRetries(timeoutMs) };
  const { pem } = await service.ask(async () => (await client.getPublicKey({ name }, call))[0] as KeyAnswer);
  const key = keyOfSpki(createPublicKey(pem ?? "").export({ format: "der", type: "spki" }));
  return signerWith(options, key, async (message) => {
    const input =
      key.type === ED25519 ? { data: message } : { digest: { sha256: createHash("sha256").update(message).digest() } };
    const answer = await service.ask(
      async () => (await client.asymmetricSign({ name, ...input }, call))[0] as KeyAnswer,
    );
    if (answer.name !== name || !answer.signature) {
      throw new AuditKeysError(
        "ERR_AUDIT_KEYS_SIGNING_FAILED",
        "Google Cloud KMS signed with another key version than requested.",
      );
    }
    // Bytes or base64, depending on the transport.
    const { signature } = answer;
    return new Uint8Array(typeof signature === "string" ? Buffer.from(signature, "base64") : signature);
  });
}

/** Call options of `google-gax` without retries: this package retries requests itself. */
const noRetries = (timeoutMs: number) => ({
  retryCodes: [],
  backoffSettings: {
    initialRetryDelayMillis: 1,
    retryDelayMultiplier: 1,
    maxRetryDelayMillis: 1,
    initialRpcTimeoutMillis: timeoutMs,
    rpcTimeoutMultiplier: 1,
    maxRpcTimeoutMillis: timeoutMs,
    totalTimeoutMillis: timeoutMs,
  },
});

async function makeClient(): Promise<GcpKmsClient> {
  const sdk = await import("@google-cloud/kms").catch(needs("@suite/audit-keys", "@google-cloud/kms"));
  return new sdk.KeyManagementServiceClient() as unknown as GcpKmsClient;
}
