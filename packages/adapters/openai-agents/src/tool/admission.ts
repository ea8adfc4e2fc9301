import type { PluginStack, Run } from "@suite/core/adapter";
import type { ApprovalRequest } from "@suite/core/contract";
import { ToolAdmission } from "@suite/core/framework";
import type { ToolCallPart } from "@suite/core/messages";
import type { SdkTool } from "../framework.js";
import type { CurrentRun } from "../sdk/current-run.js";
import { neutralTool } from "./neutral.js";

const admissions = new WeakMap<Run, ToolAdmission>();

/** Returns the admission of a run, which collects the decisions of plugins about tool calls. */
export function admissionOf(stack: PluginStack, run: Run): ToolAdmission {
  let admission = admissions.get(run);
  if (admission === undefined) {
    admission = new ToolAdmission(stack, run);
    admissions.set(run, admission);
  }
  return admission;
}

/** Calls that a person approved while the run waited, in the form that was shown, by id. */
const approved = new WeakMap<Run, Map<string, ToolCallPart>>();

/** Stores a call that a person has approved. */
export function noteApproved(run: Run, part: ToolCallPart): void {
  const calls = approved.get(run) ?? new Map<string, ToolCallPart>();
  approved.set(run, calls.set(part.id, part));
}

/**
 * Returns the call that was shown to the person who approved it. Returns an empty object if layers have changed it
 * since.
 */
export function approvedBy(run: Run, id: string, unchanged: boolean): Pick<ApprovalRequest, "approved"> {
  const part = unchanged ? approved.get(run)?.get(id) : undefined;
  return part === undefined ? {} : { approved: { tool: part.name, arguments: part.arguments } };
}

/** Replaces a tool's `needsApproval`, which the SDK calls for undecided calls. */
export async function needsApproval(
  { runs, run, call }: CurrentRun,
  tool: SdkTool,
  defaultCheck: () => Promise<boolean>,
  input: unknown,
  id: string | undefined,
): Promise<boolean> {
  const due = await defaultCheck();
  if (id === undefined) return due;
  const rule = await admissionOf(runs.stack, run).waits({ id, tool: neutralTool(tool), input, call });
  return rule === undefined ? due : rule !== "decided";
}
