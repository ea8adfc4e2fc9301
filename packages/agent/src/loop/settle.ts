import { type CallId, type Message, message, type RuntimeContext, toolCallResponse, toolCallsOf } from "@suite/core";
import type { ApprovalNotification, ExternalResultNotification, Pending, Suspended } from "@suite/core/contract";
import type { EventDelta, ToolCallPart } from "@suite/core/messages";
import { callDigest } from "@suite/kit/digest";
import type { Decision } from "../pending/decisions.js";
import { displayArguments } from "../pending/json.js";
import { invalid } from "../pending/read.js";
import { type PendingCall, pendingOf } from "../pending/state.js";
import { checkEdits } from "../resume/edit.js";
import { areDecisions } from "../tools/approval.js";
import { runBatch } from "../tools/batch.js";
import { Batch } from "../tools/context.js";
import { hold, outerIdOf } from "../tools/inner.js";
import { answerTool, forgetMemo } from "../tools/memo.js";
import { failureFor, rejected } from "../tools/messages.js";
import { ledgerOf } from "../totals/ledger.js";
import type { LoopContext } from "./context.js";
import { interrupted, openCallsAt, withEdits, withUniqueLastIds } from "./history.js";
import type { Turn } from "./turn.js";

/**
 * Settles the calls that are open in the input of the run, using the decisions made while it waited. The first attempt
 * of a resumed run marks its pending state as used here, after all other checks. A later attempt finds the existing
 * results and runs nothing again.
 */
export async function* settleOpen(
  turn: Turn,
  context: LoopContext,
  call: CallId,
): AsyncGenerator<EventDelta, Suspended | undefined> {
  const { resumed, batch } = turn.start;
  if (resumed === undefined) turn.messages = withUniqueLastIds(turn.messages);
  const at = resumed === undefined ? lastWithCalls(turn.messages) : openCallsAt(turn.messages);
  if (resumed !== undefined && !resumed.claimed) {
    const { state, decisions } = resumed;
    const ids = new Set(at === undefined ? [] : toolCallsOf(turn.messages[at] as Message).map(({ id }) => id));
    if (!state.calls.every(({ id }) => ids.has(outerIdOf(id)))) {
      throw invalid("a plugin removed a waiting call from the history");
    }
    await checkEdits(state.calls, decisions, context.tools.current, true);
    await resumed.claim();
    context.run.notify({ type: "resume", call, pending: state.calls.map(pendingOf) });
    applyDecisions(batch, decisions, context.run, call);
  }
  return at === undefined ? undefined : yield* settleBatch(turn, batch, at, context, call);
}

const lastWithCalls = (messages: readonly Message[]): number | undefined => {
  const last = messages.at(-1);
  return last?.role === "assistant" && toolCallsOf(last).length > 0 ? messages.length - 1 : undefined;
};

/** Settles the calls of the last reply. */
export const settleLast = (
  turn: Turn,
  context: LoopContext,
  call: CallId,
): AsyncGenerator<EventDelta, Suspended | undefined> =>
  settleBatch(turn, new Batch(), turn.messages.length - 1, context, call);

/**
 * Gets an answer to every call of one message: from a decision made while the run waited, or by running the call. Adds
 * one message with all answers, in the order of the calls, or suspends the run.
 */
async function* settleBatch(
  turn: Turn,
  batch: Batch,
  at: number,
  context: LoopContext,
  call: CallId,
): AsyncGenerator<EventDelta, Suspended | undefined> {
  const { run } = context;
  turn.batch = batch;
  turn.messages = withEdits(turn.messages, at, batch.edited);
  const calls = toolCallsOf(turn.messages[at] as Message);
  const waits = new Set(batch.waiting.map(({ id }) => outerIdOf(id)));
  for (const { id } of calls) {
    if (!batch.begun.has(id) || batch.done.has(id)) continue;
    batch.done.set(id, toolCallResponse(id, interrupted, { isError: true })); // an earlier attempt was cut off here
  }
  const due = calls.filter(({ id }) => !batch.done.has(id) && !waits.has(id));
  const history = at === turn.messages.length - 1 ? turn.messages : turn.messages.slice(0, at + 1);
  const results = yield* runBatch(
    due,
    { batch, withheld: turn.withheld, calls, history, ...context, tools: context.tools.current },
    call,
  );
  const waiting = new Map(batch.waiting.map((each) => [each.id, each]));
  for (const [index, result] of results.entries()) {
    if ("response" in result) continue;
    const call = due[index] as ToolCallPart;
    try {
      const all = await Promise.all(result.pending.map((pending) => handedOut(pending, call, run)));
      if (all.length === 0) throw new Error("it has no waiting calls");
      for (const each of all) waiting.set(each.id, each);
    } catch (error) {
      batch.done.set(call.id, failureFor(call.id, call.name, error));
    }
  }
  batch.waiting = [...waiting.values()];
  for (const { id } of calls) {
    if (!batch.done.has(id)) continue;
    hold(run, id, undefined);
    forgetMemo(run, id);
  }
  turn.messages = withEdits(turn.messages, at, batch.edited);
  if (batch.waiting.length > 0) {
    const pending = batch.waiting.map(pendingOf);
    run.notify({ type: "suspension", call, pending });
    return { suspended: pending };
  }
  const responses = calls.flatMap(({ id }) => batch.done.get(id) ?? []);
  turn.messages = turn.messages.toSpliced(at + 1, 0, message("tool", responses));
  turn.batch = undefined;
  turn.withheld = new Set();
  return undefined;
}

/**
 * Returns a waiting call as the caller receives it.
 *
 * @param call the tool call. A layer may create its pending itself, which then represents this call only.
 */
async function handedOut(
  { reason, part, question, decisions, handedOutAt, digest }: Pending,
  call: ToolCallPart,
  { runId, userId, tenantId }: RuntimeContext,
): Promise<PendingCall> {
  const { name } = part;
  if (decisions !== undefined && !areDecisions(decisions)) throw new Error("it waits for an unknown kind of decision");
  const args = displayArguments(part.arguments);
  const id = part.id.startsWith(`${call.id}/`) ? part.id : call.id;
  return {
    id,
    name,
    arguments: args,
    reason,
    ...(question !== undefined && { question }),
    ...(decisions !== undefined && { decisions }),
    digest: digest ?? (await callDigest({ runId, userId, tenantId, tool: name, id, arguments: args })),
    handedOutAt: handedOutAt ?? Date.now(),
  };
}

/** Turns decisions and external results into answers of the waiting calls. Approved calls remain to be run. */
function applyDecisions(
  batch: Batch,
  decisions: ReadonlyMap<string, Decision>,
  runtime: RuntimeContext,
  call: CallId,
): void {
  const still: PendingCall[] = [];
  const decided = new Set([...decisions.keys()].map(outerIdOf));
  for (const waiting of batch.waiting) {
    const decision = decisions.get(waiting.id);
    if (outerIdOf(waiting.id) !== waiting.id) {
      // A call of an inner agent. It receives its decisions when it runs again, and reports which calls still wait.
      if (decision !== undefined) batch.decisions.set(waiting.id, decision);
      if (!decided.has(outerIdOf(waiting.id))) still.push(waiting);
    } else if (decision === undefined) still.push(waiting);
    else apply(batch, waiting, decision, runtime, call);
  }
  batch.waiting = still;
}

function apply(batch: Batch, waiting: PendingCall, decision: Decision, runtime: RuntimeContext, call: CallId): void {
  const { id, name, handedOutAt } = waiting;
  const about = { call, toolCallId: id, toolName: name };
  const approval = approvalOf(decision);
  const by = "by" in decision && decision.by !== undefined ? { by: decision.by } : {};
  if (approval !== undefined) runtime.notify({ type: "approval", ...about, decision: approval, ...by });
  if (decision.type === "approve") {
    const { tool = name, arguments: args = waiting.arguments } = decision;
    batch.approved.set(id, { name: tool, arguments: args, shown: { tool: name, arguments: waiting.arguments } });
    if (approval === "edited") batch.edited.set(id, { name: tool, arguments: args });
    return;
  }
  if (decision.type === "answer" && answerTool(runtime, id, decision.response)) {
    runtime.notify({ type: "approval", ...about, decision: "answered", ...by });
    return; // the tool asked the question, so it runs again
  }
  const { outcome, response } = endOf(name, decision);
  if (outcome === "completed" || outcome === "failed") ledgerOf(runtime).toolCalls++;
  const returnedAt = Date.now();
  const fields = { arguments: waiting.arguments, outcome, response, handedOutAt, returnedAt, ...timesOf(decision) };
  runtime.notify({ type: "external_result", ...about, ...fields });
  batch.done.set(id, toolCallResponse(id, response, { isError: outcome !== "completed" }));
}

/**
 * Returns the decision on an approval as notifications name it. Returns `undefined` if the call did not wait for an
 * approval.
 */
function approvalOf(decision: Decision): ApprovalNotification["decision"] | undefined {
  switch (decision.type) {
    case "approve":
      return decision.tool === undefined && decision.arguments === undefined ? "approved" : "edited";
    case "reject":
      return "rejected";
    case "respond":
      return "responded";
    default:
      return undefined;
  }
}

/** Returns the times of a tool that ran elsewhere, as far as its result contains them. */
function timesOf(decision: Decision): Pick<ExternalResultNotification, "startedAt" | "endedAt"> {
  if (decision.type !== "result") return {};
  const { startedAt, endedAt } = decision;
  return { ...(startedAt !== undefined && { startedAt }), ...(endedAt !== undefined && { endedAt }) };
}

/** Returns the outcome of a call that is not run here, and the response for the model. */
function endOf(
  name: string,
  decision: Exclude<Decision, { type: "approve" }>,
): { readonly outcome: ExternalResultNotification["outcome"]; readonly response: unknown } {
  const { type } = decision;
  if (type === "reject") return { outcome: "denied", response: rejected(name, decision.message).message };
  if (type === "answer" || type === "respond") return { outcome: "completed", response: decision.response };
  if (type === "result") {
    return { outcome: decision.isError === true ? "failed" : "completed", response: decision.response };
  }
  const note = decision.message === undefined ? "" : ` ${decision.message}`;
  return { outcome: "cancelled", response: `This call of ${name} was cancelled.${note}` };
}
