// Reads the records of a log to show them. Only a proof verifies them.
export { AuditError, type AuditErrorCode } from "./errors.js";
export { proveRecord, type RecordPlace } from "./proofs/prove-record.js";
export type { RecordFilter } from "./query/filter.js";
export type { Found } from "./query/found.js";
export { type QueryListeners, queryLog } from "./query/index/query.js";
export type { Summary } from "./query/summary.js";
