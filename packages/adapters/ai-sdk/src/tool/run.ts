import { MiddlewareTermination, type Tool } from "@suite/core";
import type { ApprovalRequest } from "@suite/core/contract";
import { type Admitted, ambientStorage } from "@suite/core/framework";
import { AiSdkError } from "../errors.js";
import { jsonOf } from "../messages/content.js";
import { abortable, patiently } from "../model/stop.js";
import type { Turn } from "../turn/turn.js";

/** One tool call of the framework. */
export interface ToolCall {
  readonly id: string;
  readonly tool: Tool;
  readonly input: unknown;
}

/** Runs a tool within the `tool` layers. Yields the values that they pass. */
export async function* runTool(
  turn: Turn,
  { id, tool, input }: ToolCall,
  execute: (input: unknown) => unknown,
): AsyncGenerator<unknown, void> {
  // Calls that were approved while the run waited run before the model is called.
  await turn.opened;
  const { run, stack, call } = turn;
  const verdict = turn.verdicts.get(id);
  const guarded = stack.has.approval;
  const admittedInput = guarded ? turn.admission.inputOf(id, input) : input;
  const initialInput = verdict !== undefined && "input" in verdict ? verdict.input : admittedInput;
  try {
    const outcome = await stack.call(
      "tool",
      run,
      { id, tool, input: initialInput },
      async (invocation) => {
        if (verdict !== undefined && "refused" in verdict) throw verdict.refused;
        let finalInput = invocation.request.input;
        if (guarded) {
          const approved = approvedBy(turn, id, tool.name, jsonOf(finalInput) === jsonOf(initialInput));
          const request = { id, tool, input: finalInput, call: invocation.call, late: true, ...approved };
          const byFramework = approved.approved !== undefined && !turn.approvedHere.has(id);
          const admitted = (await turn.admission.admit(request, byFramework ? "approved" : undefined)) as Admitted;
          if ("answer" in admitted) return invocation.respond(admitted.answer);
          finalInput = admitted.input;
        }
        const result = execute(finalInput);
        if (!isAsyncIterable(result)) {
          const work = Promise.resolve(result);
          const ended = turn.streams ? abortable(work, run) : patiently(work, run);
          invocation.respond({ value: await ended });
          return;
        }
        invocation.respond({ stream: result as AsyncIterable<unknown, void> });
        const ambient = ambientStorage();
        if (ambient === undefined) return;
        const current = { runtime: run, call: invocation.call };
        // A generator runs in the context of its consumer, and must find its run there.
        invocation.pipe({ around: (pull) => ambient.run(current, pull) });
      },
      call,
    );
    // The framework treats a thrown value as a failed call, and sends its JSON to the model.
    if (outcome.isError === true) throw await outcome.final();
    yield* outcome;
    const { status } = await outcome.settled;
    if (status === "suspended") throw cannotSuspend(tool.name);
  } catch (error) {
    if (MiddlewareTermination.is(error) && error.scope === "run") turn.fail(error);
    throw error;
  }
}

/**
 * Returns the call that was approved by a person while the run waited, or in this turn. Returns no call if layers have
 * changed it since.
 */
function approvedBy(turn: Turn, id: string, tool: string, unchanged: boolean): Pick<ApprovalRequest, "approved"> {
  if (!unchanged) return {};
  if (turn.approvedHere.has(id)) return { approved: { tool, arguments: turn.approvedHere.get(id) } };
  const waited = turn.waited.find((call) => call.id === id && call.approval?.approved === true);
  return waited === undefined ? {} : { approved: { tool, arguments: waited.arguments } };
}

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** Returns the last value, which is the result of a tool that does not stream. */
export async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}

const cannotSuspend = (name: string): AiSdkError =>
  new AiSdkError(
    "ERR_AI_SDK_UNSUPPORTED",
    `A plugin suspended a call of ${name}, which runs in this process. Set needsApproval on the tool.`,
  );
