import { type ApprovalRequest, MiddlewareTermination, type Tool } from "@suite/core";
import { type Admitted, ambientStorage } from "@suite/core/framework";
import { AiSdkError } from "../errors.js";
import { jsonOf } from "../messages/content.js";
import { abortable, patiently } from "../model/stop.js";
import type { Turn } from "../turn/turn.js";

/** One call of a tool, as the framework makes it. */
export interface ToolCall {
  readonly id: string;
  readonly tool: Tool;
  readonly input: unknown;
}

/** Runs a tool within the `tool` layers, and gives the values that they let through, one after the other. */
export async function* runTool(
  turn: Turn,
  { id, tool, input }: ToolCall,
  execute: (input: unknown) => unknown,
): AsyncGenerator<unknown, void> {
  // What was approved while the run waited is run before the model is asked anything.
  await turn.opened;
  const { run, stack, call } = turn;
  const verdict = turn.verdicts.get(id);
  const guarded = stack.has.approval;
  const own = guarded ? turn.admission.inputOf(id, input) : input;
  const given = verdict !== undefined && "input" in verdict ? verdict.input : own;
  try {
    const outcome = await stack.call(
      "tool",
      run,
      { id, tool, input: given },
      async (invocation) => {
        if (verdict !== undefined && "refused" in verdict) throw verdict.refused;
        let left = invocation.request.input;
        if (guarded) {
          const approved = approvedBy(turn, id, tool.name, jsonOf(left) === jsonOf(given));
          const asked = { id, tool, input: left, call: invocation.call, late: true, ...approved };
          const byFramework = approved.approved !== undefined && !turn.approvedHere.has(id);
          const admitted = (await turn.admission.admit(asked, byFramework ? "approved" : undefined)) as Admitted;
          if ("answer" in admitted) return invocation.respond(admitted.answer);
          left = admitted.input;
        }
        const result = execute(left);
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
        // A generator runs where it is pulled, and must find its run there too.
        invocation.pipe({ around: (pull) => ambient.run(current, pull) });
      },
      call,
    );
    // The framework takes what is thrown for a call that failed, and tells the model the JSON of it.
    if (outcome.isError === true) throw await outcome.final();
    yield* outcome;
    const { status } = await outcome.settled;
    if (status === "suspended") throw noPlace(tool.name);
  } catch (error) {
    if (MiddlewareTermination.is(error) && error.scope === "run") turn.fail(error);
    throw error;
  }
}

/**
 * The call that a person was shown who has approved it, while the run waited or here; nothing where layers have changed
 * it since.
 */
function approvedBy(turn: Turn, id: string, tool: string, unchanged: boolean): Pick<ApprovalRequest, "approved"> {
  if (!unchanged) return {};
  if (turn.approvedHere.has(id)) return { approved: { tool, arguments: turn.approvedHere.get(id) } };
  const waited = turn.waited.find((call) => call.id === id && call.approval?.approved === true);
  return waited === undefined ? {} : { approved: { tool, arguments: waited.arguments } };
}

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** The last value, as for a tool that gives one. */
export async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}

const noPlace = (name: string): AiSdkError =>
  new AiSdkError(
    "ERR_AI_SDK_NO_PLACE",
    `A layer suspended a call of ${name}, which runs here. Give the tool needsApproval.`,
  );
