import { toolCall } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { AiSdkError } from "../errors.js";
import type { UserTool } from "../framework.js";
import type { Turn } from "../turn/turn.js";

/**
 * Adds an `execute` to an external tool that returns the answer of a layer. The property is `undefined` while no layer
 * has answered a call of the tool. The framework reads it at each call.
 */
export function answerExternalTool(copy: UserTool, name: string, turn: Turn): void {
  Object.defineProperty(copy, "execute", {
    enumerable: true,
    get: () => ([...turn.answers.values()].some((answer) => answer.name === name) ? answered : undefined),
  });
  function answered(_: unknown, { toolCallId }: { readonly toolCallId: string }): unknown {
    const answer = turn.answers.get(toolCallId);
    if (answer === undefined) {
      throw new AiSdkError(
        "ERR_AI_SDK_UNSUPPORTED",
        `A plugin answered one of several calls of ${name}, so this call cannot run in this step.`,
      );
    }
    if ("error" in answer) throw answer.error;
    return answer.value;
  }
}

/**
 * Calls an external tool through the `tool` layers. Returns the pending call. Returns `undefined` if a layer answered.
 */
export async function callExternalTool(
  turn: Turn,
  id: string,
  name: string,
  input: unknown,
): Promise<Pending | undefined> {
  try {
    const outcome = await turn.stack.call(
      "tool",
      turn.run,
      { id, tool: { name }, input },
      async (invocation) => {
        const part = toolCall(id, name, invocation.request.input);
        invocation.respond({ suspended: [{ reason: "external", part }] });
      },
      turn.call,
    );
    const final = outcome.final();
    final.catch(() => {}); // the settlement reports the error
    const settlement = await outcome.settled;
    if (settlement.status === "suspended") return settlement.pending.find(({ part }) => part.id === id);
    turn.answers.set(id, outcome.isError === true ? { name, error: await final } : { name, value: await final });
  } catch (error) {
    turn.answers.set(id, { name, error });
  }
  return undefined;
}
