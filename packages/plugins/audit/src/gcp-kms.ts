export { type GcpKmsClient, type GcpKmsSignerOptions, gcpKmsSigner } from "./signing/remote/gcp-kms.js";
