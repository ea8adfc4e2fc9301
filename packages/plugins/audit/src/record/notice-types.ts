/**
 * The types of records that are not about a call. `gap` is about lost records, `erasure` about a subject whose key was
 * deleted, `policy` about the rules and plugins that apply from then on.
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
