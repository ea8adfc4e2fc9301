export { type AwsKmsClient, type AwsKmsSignerOptions, awsKmsSigner } from "./signing/remote/aws-kms.js";
