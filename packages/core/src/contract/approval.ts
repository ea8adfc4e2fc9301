import type { CallId, ToolRequest } from "./kinds.js";
import type { ApprovalDecision } from "./suspension.js";

/** The rule of an approval: the question to a person and the decisions that they may make. */
export interface ApprovalRule {
  readonly question?: string;
  /** Allowed decisions. Default: all. */
  readonly decisions?: readonly ApprovalDecision[];
  /** The digest of the call (`callDigest`), if a plugin keeps the question. An answer that names it is for this call only. */
  readonly id?: string;
}

/** A person's decision on a tool call, with its data. */
export type ApprovalVerdict = { readonly by?: string | undefined } & (
  | { readonly decision: "approve" }
  | { readonly decision: "edit"; readonly arguments: unknown }
  | { readonly decision: "reject"; readonly message?: string | undefined }
  | { readonly decision: "respond"; readonly response: unknown }
);

/** A tool call that is about to run. The hook `approval` decides if it may. */
export interface ApprovalRequest extends Pick<ToolRequest, "id" | "tool" | "input" | "batch" | "history"> {
  readonly call: CallId | undefined;
  /** The call that a person approved through the framework. It differs from `input` if they edited the arguments. */
  readonly approved?: { readonly tool: string; readonly arguments: unknown };
  /** True if the framework cannot wait any longer: a call that is not approved by now does not run. */
  readonly late?: boolean;
}
