export { type AwsKmsClient, type AwsKmsSignerOptions, awsKmsSigner } from "./aws-kms.js";
export { AuditKeysError, type AuditKeysErrorCode } from "./errors.js";
export { type GcpKmsClient, type GcpKmsSignerOptions, gcpKmsSigner } from "./gcp-kms.js";
export { type Pkcs11Signer, type Pkcs11SignerOptions, pkcs11Signer } from "./pkcs11.js";
export type { RemoteSignerOptions } from "./remote-signer.js";
