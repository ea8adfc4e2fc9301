import { interrupt } from "@langchain/langgraph";
import type { RuntimeContext } from "@suite/core";
import type { ApprovalDecision, ApprovalRequest, ApprovalRule } from "@suite/core/contract";
import { type Admitted, rejection, type ToolAdmission } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { notesKey } from "../run-notes.js";

const all: readonly ApprovalDecision[] = ["approve", "edit", "reject", "respond"];

/**
 * Lets a tool call run, or answers it. If a person has to decide, interrupts the graph with a review of this call, in
 * the format of `humanInTheLoopMiddleware`.
 *
 * @throws GraphInterrupt, and errors of plugins.
 */
export async function admitted(admission: ToolAdmission, request: ApprovalRequest): Promise<Admitted> {
  const verdict = await admission.admit(request);
  if ("input" in verdict || "answer" in verdict) return verdict;
  const { tool, id, input } = request;
  const shownCall = shownCallOf(admission.run, id);
  if (shownCall === undefined) admission.run.get(notesKey).shownCalls.set(id, { tool: tool.name, arguments: input });
  const decision = decisionIn(interrupt(reviewOf(request, verdict)));
  // LangGraph passes a decision to the next interrupt, whichever it is. The decision only covers the call that the
  // person was shown, and that it names.
  const isForOther = decision?.id !== undefined && decision.id !== verdict.id;
  const same =
    !isForOther && shownCall !== undefined && shownCall.tool === tool.name && sameJson(shownCall.arguments, input);
  if (!same) return { answer: rejection(tool.name, "The arguments have changed since they were approved.") };
  if (!(verdict.decisions ?? all).some((each) => each === decision?.type)) {
    return { answer: rejection(tool.name, undefined) };
  }
  const text = typeof decision?.message === "string" ? decision.message : undefined;
  if (decision?.type === "reject") return { answer: rejection(tool.name, text) };
  if (decision?.type === "respond") return { answer: { value: decision.message } };
  const edited = decision?.type === "edit" ? editIn(decision, tool.name) : { args: input };
  if (edited === undefined) {
    return { answer: rejection(tool.name, "An edit can change the arguments, but not the tool.") };
  }
  const lateRequest = { ...request, input: edited.args, approved: shownCall, late: true };
  return (await admission.admit(lateRequest, decision?.type === "edit" ? "edited" : "approved")) as Admitted;
}

/**
 * Returns the result of a call that a person refused while the run waited. The decision is read from LangGraph's
 * interrupt of this call. Returns `undefined` if no person refused the call, or if the interrupt contains another
 * decision: then the person is asked again.
 */
export function refusedBefore(run: RuntimeContext, id: string, name: string): { readonly value: string } | undefined {
  if (![...runsAround(run)].some((at) => at.get(notesKey).refused.delete(id))) return undefined;
  const decision = decisionIn(interrupt(undefined));
  if (decision?.type !== "reject") return undefined;
  return rejection(name, typeof decision.message === "string" ? decision.message : undefined);
}

/** True for a review that this package created, for a call that is admitted before it runs. */
export function isSuiteReview(value: unknown): boolean {
  const [action] = isRecord(value) && Array.isArray(value.actionRequests) ? (value.actionRequests as unknown[]) : [];
  return isRecord(action) && typeof action.toolCallId === "string";
}

/** Stores the call that a person was shown, from the review that LangGraph has stored. */
export function storeShownCall(run: RuntimeContext, value: unknown): void {
  const [action] = isRecord(value) && Array.isArray(value.actionRequests) ? (value.actionRequests as unknown[]) : [];
  if (!isRecord(action) || typeof action.toolCallId !== "string") return;
  run.get(notesKey).shownCalls.set(action.toolCallId, { tool: String(action.name), arguments: action.args });
}

/** Returns the call that a person was shown, from this run or a resumed run around it. */
function shownCallOf(run: RuntimeContext, id: string): ApprovalRequest["approved"] {
  for (const at of runsAround(run)) {
    const shownCall = at.get(notesKey).shownCalls.get(id);
    if (shownCall !== undefined) return shownCall;
  }
  return undefined;
}

/** Yields a run and the runs around it. The decision of a person is stored in the run of the agent that resumes. */
function* runsAround(run: RuntimeContext): Generator<RuntimeContext> {
  for (let at: RuntimeContext | undefined = run; at !== undefined; at = at.parent) yield at;
}

/** True if two values are the same JSON, in any order of keys. */
function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [one, two] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))];
  if (Array.isArray(a) !== Array.isArray(b) || one.length !== two.size) return false;
  return one.every(([key, value]) => two.has(key) && sameJson(value, two.get(key)));
}

function reviewOf({ id: toolCallId, tool: { name }, input }: ApprovalRequest, rule: ApprovalRule) {
  const { question, decisions = all, id } = rule;
  const description = question ?? `May ${name} run with these arguments?`;
  return {
    actionRequests: [{ name, args: input, description, toolCallId, ...(id !== undefined && { id }) }],
    reviewConfigs: [{ actionName: name, allowedDecisions: decisions }],
  };
}

function decisionIn(resumed: unknown): Readonly<Record<string, unknown>> | undefined {
  const [decision] = isRecord(resumed) && Array.isArray(resumed.decisions) ? (resumed.decisions as unknown[]) : [];
  return isRecord(decision) ? decision : undefined;
}

function editIn({ editedAction }: Readonly<Record<string, unknown>>, name: string): { args: unknown } | undefined {
  if (!isRecord(editedAction) || (editedAction.name !== undefined && editedAction.name !== name)) return undefined;
  return { args: editedAction.args };
}
