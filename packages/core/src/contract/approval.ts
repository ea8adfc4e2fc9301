import type { CallId, ToolRequest } from "./kinds.js";
import type { ApprovalDecision } from "./suspension.js";

/** The rule of an approval: what the person is asked, and how they may decide. */
export interface ApprovalRule {
  readonly question?: string;
  /** The decisions that it takes. Left out: all of them. */
  readonly decisions?: readonly ApprovalDecision[];
}

/** A decision that was made on a tool call, with what belongs to it. */
export type ApprovalVerdict = { readonly by?: string | undefined } & (
  | { readonly decision: "approve" }
  | { readonly decision: "edit"; readonly arguments: unknown }
  | { readonly decision: "reject"; readonly message?: string | undefined }
  | { readonly decision: "respond"; readonly response: unknown }
);

/** A tool call that is about to run, of which the hook `approval` says whether it may. */
export interface ApprovalRequest extends Pick<ToolRequest, "id" | "tool" | "input" | "batch" | "history"> {
  readonly call: CallId | undefined;
  /**
   * The call that a person was shown and has approved by the framework's own means, which `input` differs from
   * where they edited it.
   */
  readonly approved?: { readonly tool: string; readonly arguments: unknown };
  /** True where the framework cannot wait any more: what has not been approved by now is not run. */
  readonly late?: boolean;
}
