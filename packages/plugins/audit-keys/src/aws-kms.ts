import type { Signer } from "@suite/audit";
import { ED25519 } from "@suite/audit/internal";
import { AuditKeysError } from "./errors.js";
import { KeyService, keyOfSpki, needs, type RemoteSignerOptions, signerWith } from "./remote-signer.js";

/** The required part of a `KMSClient` of `@aws-sdk/client-kms`. */
export interface AwsKmsClient {
  send(command: never, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

/** The options of `awsKmsSigner`. */
export interface AwsKmsSignerOptions extends RemoteSignerOptions {
  /**
   * Key id, ARN or alias of a key for signing, ECC_NIST_P256 or ECC_NIST_EDWARDS25519. An alias is resolved once, and
   * its key signs.
   */
  readonly keyId: string;
  /** The client. Default: one with the settings of the environment. */
  readonly client?: AwsKmsClient;
}

/** The service's responses with a key or a signature. */
interface KeyAnswer {
  readonly KeyId?: string;
  readonly PublicKey?: Uint8Array;
  readonly Signature?: Uint8Array;
}

/**
 * Creates a signer with a key in AWS KMS. The ARN of the key is read once, together with the public key, and is used
 * for signing. A moved alias has no effect before the process is restarted, and then `publicKey` detects it.
 *
 * @throws AuditKeysError `ERR_AUDIT_KEYS_SIGNING_FAILED`, `ERR_AUDIT_KEYS_INVALID_KEY`, `ERR_AUDIT_KEYS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const signer = await awsKmsSigner({ name: "example.com/support", keyId: "alias/audit" });
 * ```
 */
export async function awsKmsSigner(options: AwsKmsSignerOptions): Promise<Signer> {
  const { keyId } = options;
  const service = new KeyService("AWS KMS", options);
  const sdk = await import("@aws-sdk/client-kms").catch(needs("@suite/audit-keys", "@aws-sdk/client-kms"));
  const client = (options.client ?? new sdk.KMSClient({ maxAttempts: 1 })) as AwsKmsClient;
  const send = (command: object) =>
    service.ask((abortSignal) => client.send(command as never, { abortSignal }) as Promise<KeyAnswer>);
  const { KeyId: arn, PublicKey: spki } = await send(new sdk.GetPublicKeyCommand({ KeyId: keyId }));
  if (arn === undefined || spki === undefined) throw another("returned no public key");
  const key = keyOfSpki(spki);
  const SigningAlgorithm = key.type === ED25519 ? "ED25519_SHA_512" : "ECDSA_SHA_256";
  return signerWith(options, key, async (Message) => {
    const command = new sdk.SignCommand({ KeyId: arn, Message, MessageType: "RAW", SigningAlgorithm });
    const { KeyId: signedBy, Signature } = await send(command);
    if (signedBy !== arn || Signature === undefined) throw another("signed with another key than requested");
    return new Uint8Array(Signature);
  });
}

const another = (what: string): AuditKeysError =>
  new AuditKeysError("ERR_AUDIT_KEYS_SIGNING_FAILED", `AWS KMS ${what}.`);
