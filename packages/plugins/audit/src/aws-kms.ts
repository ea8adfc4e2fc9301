export { type AwsKmsClient, type AwsKmsSignerOptions, awsKmsSigner } from "./signers/aws-kms.js";
