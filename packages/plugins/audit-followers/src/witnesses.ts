export { AuditFollowersError, type AuditFollowersErrorCode } from "./errors.js";
export { type KeepWitnessedOptions, keepWitnessed, type WitnessSchedule } from "./witness/keep-witnessed.js";
export { type Witnessed, type WitnessOptions, witnessLog } from "./witness/witness-log.js";
