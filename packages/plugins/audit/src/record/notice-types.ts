/**
 * The types of records that are about no call. `gap` is about records that were lost, `erasure` about a subject whose key was
 * deleted, `policy` about the rules and plugins that are in force from there on.
 */
export const noticeTypes = [
  "decision",
  "guardrail",
  "approval",
  "suspension",
  "resume",
  "external_result",
  "undo",
  "limit",
  "fault",
  "gap",
  "erasure",
  "policy",
] as const;
