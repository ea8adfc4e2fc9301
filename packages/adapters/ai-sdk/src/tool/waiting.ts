import { isRecord } from "@suite/kit";
import type { UserTool } from "../framework.js";

/** The need for an approval, as known before a call. */
export type ApprovalNeed =
  /** A person decides on each call. */
  | "always"
  /** A function of the user decides on each call. */
  | "depends"
  /** The tool runs without an approval. */
  | "never"
  /** Each call is refused without a question. */
  | "refused";

/** Returns the need for an approval. `toolApproval` (7) takes precedence over the setting of the tool. */
export function approvalNeed(tool: UserTool, toolApproval: unknown, name: string): ApprovalNeed {
  if (typeof toolApproval === "function") return "depends";
  const configured = isRecord(toolApproval) && Object.hasOwn(toolApproval, name) ? toolApproval[name] : undefined;
  if (configured !== undefined && configured !== null) return needOf(configured);
  const { needsApproval } = tool;
  if (typeof needsApproval === "function") return "depends";
  return needsApproval === true ? "always" : "never";
}

/** Returns the need for a configured approval status of the framework, or a function that returns one. */
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
 * Returns true if a call of this tool may have to wait for a person or for an external result.
 *
 * @param guarded true if plugins may require an approval
 */
export function mayWait(tool: UserTool | undefined, toolApproval: unknown, name: string, guarded = false): boolean {
  if (tool === undefined || (tool.type === "provider" && tool.execute === undefined)) return false;
  const need = approvalNeed(tool, toolApproval, name);
  if (guarded && need === "never") return true;
  return need === "never" ? tool.execute === undefined : need !== "refused";
}
