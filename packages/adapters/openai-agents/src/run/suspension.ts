import { RunState, type RunToolApprovalItem } from "@openai/agents";
import { type CallId, toolCall } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import type { Pending } from "@suite/core/contract";
import type { ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { AnyState } from "../framework.js";
import { parsed } from "../json.js";
import { standIn } from "../sdk/stand-in.js";
import { noteApproved } from "../tool/admission.js";

/** The fields of a run that survive its suspension. */
interface SavedRun {
  readonly runId: string;
  readonly durable: Readonly<Record<string, unknown>>;
  /** The time at which its calls were handed out, in milliseconds since the epoch. */
  readonly handedOutAt: number;
}

/** The name of the field in the JSON of the SDK's state. The SDK drops unknown fields when it reads the state. */
const name = "suite";

const saved = new WeakMap<AnyState, SavedRun>();

export const resumedFrom = (state: AnyState): SavedRun | undefined => saved.get(state);

/** Stores the suspended run with the state, including its JSON form. */
export function suspend(state: AnyState, run: Run, handedOutAt: number): void {
  const savedRun: SavedRun = { runId: run.runId, durable: run.save(), handedOutAt };
  saved.set(state, savedRun);
  standIn(state, "toJSON", (original: AnyState["toJSON"]) => (options) => {
    const json = original.call(state, options);
    const now = saved.get(state);
    return now === undefined ? json : Object.assign(json, { [name]: now });
  });
}

/** Removes the stored run: it has ended, and resuming from this state begins another run. */
export const forget = (state: AnyState): void => void saved.delete(state);

type Restore = (agent: unknown, text: string, ...more: readonly unknown[]) => Promise<AnyState>;

/** Patches the SDK's methods that read a state from JSON. They then restore the suspended run saved in that JSON. */
export function reachStates(): void {
  for (const method of ["fromString", "fromStringWithContext"]) {
    standIn(RunState, method, (original: Restore) => async (agent, text, ...more) => {
      const state = await original.call(RunState as never, agent, text, ...more);
      const savedRun = savedIn(text);
      if (savedRun !== undefined) saved.set(state, savedRun);
      return state;
    });
  }
}

function savedIn(text: string): SavedRun | undefined {
  const json = parsed(text);
  const stored = isRecord(json) ? json[name] : undefined;
  if (!isRecord(stored) || typeof stored.runId !== "string") return undefined;
  const { runId, durable, handedOutAt } = stored;
  return {
    runId,
    durable: isRecord(durable) ? durable : {},
    handedOutAt: typeof handedOutAt === "number" ? handedOutAt : Date.now(),
  };
}

/** Returns the call that waits for an approval. */
function callOf({ rawItem, name, arguments: json = "" }: RunToolApprovalItem): ToolCallPart {
  const id = "callId" in rawItem ? rawItem.callId : (rawItem.id ?? "");
  return toolCall(id, name ?? rawItem.type, parsed(json));
}

/** Returns the calls of a state that wait for approval. */
export const pendingIn = (state: AnyState, handedOutAt: number): readonly Pending[] =>
  state.getInterruptions().map((item) => ({ reason: "approval", part: callOf(item), handedOutAt }));

/**
 * Reports the decisions made while the run waited. Approved calls are run now and report their results themselves.
 *
 * @param admits true if function calls are admitted before they run: whether an approval counts is reported then.
 */
export function notifyDecisions(state: AnyState, run: Run, call: CallId, admits: boolean): void {
  const handedOutAt = saved.get(state)?.handedOutAt ?? Date.now();
  run.notify({ type: "resume", call, pending: pendingIn(state, handedOutAt) });
  for (const item of state.getInterruptions()) {
    const { id, name, arguments: args } = callOf(item);
    const about = { call, toolCallId: id, toolName: name };
    const approved = isApproved(state, item, id);
    if (approved === undefined) continue;
    const reportedLater = approved && admits && item.rawItem.type === "function_call";
    if (!reportedLater) run.notify({ type: "approval", ...about, decision: approved ? "approved" : "rejected" });
    if (approved) {
      noteApproved(run, callOf(item));
      continue;
    }
    const response = state._context.getRejectionMessage(item.toolName ?? name, id) ?? "Not approved.";
    const returnedAt = Date.now();
    run.notify({
      ...{ type: "external_result", ...about, arguments: args, outcome: "denied", response },
      ...{ handedOutAt, returnedAt },
    });
  }
}

/** Returns the decision on a call. Decisions are stored per agent, which the SDK's types do not declare. */
function isApproved(state: AnyState, { toolName = "", name = toolName, agent }: RunToolApprovalItem, callId: string) {
  const query = { toolName: toolName === "" ? name : toolName, callId, agent };
  return state._context.isToolApproved(query);
}
