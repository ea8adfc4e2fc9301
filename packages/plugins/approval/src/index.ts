export type { Signature, SigningKey } from "@suite/core/digest";
export { type AgentDecision, type Approvals, approvals, type SuspendedRun } from "./approvals.js";
export { ApprovalError, type ApprovalErrorCode } from "./errors.js";
export type { Ask } from "./gate.js";
export { type ApprovalOptions, approvalRequired, humanInTheLoop } from "./human-in-the-loop.js";
export type { LedgerOptions } from "./ledger.js";
export type { PendingApproval, PersonDecision, StoredDecision } from "./records.js";
export type { GuardedCall, ToolApproval, ToolRule } from "./rules.js";
export type { ArgsSchema, StandardSchema } from "./schema.js";
