export { type GcpKmsClient, type GcpKmsSignerOptions, gcpKmsSigner } from "./signers/gcp-kms.js";
