import type { ApprovalRequest, ToolCallPart } from "@suite/core";
import type { PluginStack, Run } from "@suite/core/adapter";
import { ToolAdmission } from "@suite/core/framework";
import type { SdkTool } from "../framework.js";
import type { CurrentRun } from "../sdk/current-run.js";
import { neutralTool } from "./neutral.js";

const admissions = new WeakMap<Run, ToolAdmission>();

/** The admission: what plugins say of the approval of a run's tool calls. */
export function admissionOf(stack: PluginStack, run: Run): ToolAdmission {
  let admission = admissions.get(run);
  if (admission === undefined) {
    admission = new ToolAdmission(stack, run);
    admissions.set(run, admission);
  }
  return admission;
}

/** Calls that a person has approved while the run waited, as they were shown them, by id. */
const approved = new WeakMap<Run, Map<string, ToolCallPart>>();

/** Notes a call that a person has approved. */
export function noteApproved(run: Run, part: ToolCallPart): void {
  const calls = approved.get(run) ?? new Map<string, ToolCallPart>();
  approved.set(run, calls.set(part.id, part));
}

/** The call that a person was shown who has approved it; nothing where layers have changed it since. */
export function approvedBy(run: Run, id: string, unchanged: boolean): Pick<ApprovalRequest, "approved"> {
  const part = unchanged ? approved.get(run)?.get(id) : undefined;
  return part === undefined ? {} : { approved: { tool: part.name, arguments: part.arguments } };
}

/** Stands in for a tool's `needsApproval`, which the SDK asks of calls that nobody has decided on. */
export async function needsApproval(
  { runs, run, call }: CurrentRun,
  tool: SdkTool,
  own: () => Promise<boolean>,
  input: unknown,
  id: string | undefined,
): Promise<boolean> {
  const due = await own();
  if (id === undefined) return due;
  const rule = await admissionOf(runs.stack, run).waits({ id, tool: neutralTool(tool), input, call });
  return rule === undefined ? due : rule !== "decided";
}
