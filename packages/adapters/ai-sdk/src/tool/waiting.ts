import { isRecord, type UserTool } from "../framework.js";

/** The need of an approval, as known before a call is made. */
export type ApprovalNeed =
  /** A person is asked, at each call. */
  | "always"
  /** A function of the user decides at each call. */
  | "depends"
  /** No person is asked: the tool runs. */
  | "never"
  /** Each call is refused, and nobody is asked. */
  | "refused";

/** Whether a call of a tool needs an approval: `toolApproval` (7) comes before what the tool itself says. */
export function approvalNeed(tool: UserTool, toolApproval: unknown, name: string): ApprovalNeed {
  if (typeof toolApproval === "function") return "depends";
  const configured = isRecord(toolApproval) && Object.hasOwn(toolApproval, name) ? toolApproval[name] : undefined;
  if (configured !== undefined && configured !== null) return needOf(configured);
  const { needsApproval } = tool;
  if (typeof needsApproval === "function") return "depends";
  return needsApproval === true ? "always" : "never";
}

/** An approval status of the framework's, or a function that gives one. */
function needOf(configured: unknown): ApprovalNeed {
  switch (isRecord(configured) ? configured.type : configured) {
    case "user-approval":
      return "always";
    case "approved":
    case "not-applicable":
      return "never";
    case "denied":
      return "refused";
    default:
      return "depends";
  }
}

/**
 * Whether a call of this tool may have to wait, for a person or for a result from elsewhere.
 *
 * @param guarded whether plugins may say that it needs approval.
 */
export function mayWait(tool: UserTool | undefined, toolApproval: unknown, name: string, guarded = false): boolean {
  if (tool === undefined || (tool.type === "provider" && tool.execute === undefined)) return false;
  const need = approvalNeed(tool, toolApproval, name);
  if (guarded && need === "never") return true;
  return need === "never" ? tool.execute === undefined : need !== "refused";
}
