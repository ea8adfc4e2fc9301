// Verification without Node. No import of this module may need Node.
export { AuditError, type AuditErrorCode } from "./errors.js";
export { checkProof, type ProofVerdict } from "./verify/check-proof.js";
export type { VerifyOptions } from "./verify/options.js";
export type { VerifyProgress } from "./verify/progress.js";
export type { GivenFile } from "./verify/sources.js";
export type { FileVerdict, KeyVerdict, Problem, ProblemKind, Verdict, WitnessedVerdict } from "./verify/verdict.js";
export { verifyFiles } from "./verify/verify-files.js";
export type { WitnessPolicy } from "./verify/witnessed.js";
