import { ToolTimeoutError } from "@openai/agents";
import { MiddlewareTermination, onAbort } from "@suite/core";
import type { Admitted } from "@suite/core/framework";
import { OpenAIAgentsError } from "../errors.js";
import type { Invoke, SdkTool } from "../framework.js";
import { jsonOf, parsed } from "../json.js";
import type { CurrentRun } from "../sdk/current-run.js";
import { noteTermination } from "../sdk/termination.js";
import { admissionOf, approvedBy } from "./admission.js";
import { sdkResult } from "./content.js";
import { type Failure, failureOf, messageOfFailure, noteCall, refusal, standardMessage } from "./failure.js";
import { neutralTool } from "./neutral.js";

/** Replaces a tool's `invoke`: sends one call through the layers. */
export async function callTool(
  { runs, run, call }: CurrentRun,
  tool: SdkTool,
  invoke: Invoke,
  [context, json, details]: Parameters<Invoke>,
): Promise<unknown> {
  const { has } = runs.stack;
  if (!has.tool && !has.approval) return sdkResult(await invoke.call(tool, context, json, details));
  const id = details?.toolCall?.callId ?? "";
  const parsedInput = parsed(json);
  const admission = has.approval ? admissionOf(runs.stack, run) : undefined;
  const input = admission === undefined ? parsedInput : admission.inputOf(id, parsedInput);
  const request = { id, tool: neutralTool(tool), input };
  let failure: Failure | undefined;
  let threw = false;
  try {
    const outcome = await runs.stack.call(
      "tool",
      run,
      request,
      async (invocation) => {
        failure = undefined;
        let { input: finalInput } = invocation.request;
        if (admission !== undefined) {
          const approved = approvedBy(run, id, finalInput === input || jsonOf(finalInput) === jsonOf(input));
          const lateRequest = { ...request, input: finalInput, call: invocation.call, late: true, ...approved };
          const decided = approved.approved === undefined ? undefined : "approved";
          const admitted = (await admission.admit(lateRequest, decided)) as Admitted;
          if ("answer" in admitted) return invocation.respond(admitted.answer);
          finalInput = admitted.input;
        }
        const text = finalInput === parsedInput ? json : jsonOf(finalInput);
        noteCall(invocation.call, invoke);
        threw = true;
        const value = await untilTimeout(invoke.call(tool, context, text, details), details?.signal);
        threw = false;
        failure = failureOf(invocation.call, value);
        if (failure !== undefined) throw failure.error;
        invocation.respond({ value });
      },
      call,
    );
    const settled = await outcome.final().catch(() => outcome.settled);
    const { status } = await outcome.settled;
    if (status === "suspended") throw cannotSuspend(tool.name);
    if (status !== "completed") return await outcome.final();
    return sdkResult(outcome.isError === true ? messageOfFailure(tool, settled, context, details) : settled);
  } catch (error) {
    if (MiddlewareTermination.is(error) && error.scope === "run") noteTermination(run, error);
    else if (failure !== undefined) return failure.respond === undefined ? standardMessage : failure.respond(error);
    else if (!threw && !OpenAIAgentsError.is(error)) return refusal(tool, error, context, details);
    throw error;
  }
}

/** Waits for the work, or rejects on a timeout. Otherwise the SDK waits for a tool that was aborted. */
function untilTimeout<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => {
      if (signal.reason instanceof ToolTimeoutError) reject(signal.reason);
    });
    work.then(resolve, reject).finally(off);
  });
}

const cannotSuspend = (name: string): OpenAIAgentsError =>
  new OpenAIAgentsError(
    "ERR_OPENAI_AGENTS_UNSUPPORTED",
    `A plugin suspended a call of ${name}, which runs in this process. Set needsApproval on the tool.`,
  );
