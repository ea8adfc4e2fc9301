import { toolCall } from "@suite/core";
import type { ApprovalRule, Pending } from "@suite/core/contract";
import { AiSdkError } from "../errors.js";
import type { Turn } from "../turn/turn.js";
import type { ToolCall } from "./run.js";

/** The answer of a `humanInput` layer in place of a person. It has the same form in `@suite/agent`. */
interface Approval {
  readonly approve: boolean;
  readonly arguments?: unknown;
  readonly message?: string;
  readonly by?: string;
}

/**
 * Passes a call that needs an approval through the `humanInput` layers, which can decide in place of a person.
 *
 * @returns the question that a person has to answer; `undefined` if a layer decided.
 */
async function questionForPerson(
  turn: Turn,
  id: string,
  name: string,
  input: unknown,
  { question = `May ${name} run with these arguments?`, decisions }: ApprovalRule = {},
): Promise<string | undefined> {
  // The framework asks again for a call that was decided while the run waited.
  if (isDecided(turn, id) || !turn.stack.has.humanInput) return question;
  await turn.opened;
  const about = toolCall(id, name, input);
  let finalQuestion = question;
  const outcome = await turn.stack.call(
    "humanInput",
    turn.run,
    { question, about, ...(decisions !== undefined && { decisions }) },
    async (invocation) => {
      finalQuestion = invocation.request.question;
      const pending: Pending = { reason: "approval", part: about, question: finalQuestion };
      invocation.respond({ suspended: [pending] });
    },
    turn.call,
  );
  await outcome.final().catch(() => {}); // The settlement reports the error.
  const settlement = await outcome.settled;
  if (settlement.status === "suspended") return finalQuestion;
  if (settlement.status === "failed") throw settlement.error;
  if (settlement.status === "cancelled") throw settlement.reason;
  const approval = approvalOf(settlement.final);
  if (approval.approve) turn.approvedHere.set(id, input);
  decide(turn, id, name, approval);
  return undefined;
}

/**
 * Returns the question that a person has to answer before a call runs; `undefined` if the call does not wait.
 *
 * @param due whether the user's settings ask for an approval. Plugins can ask for one as well.
 * @param reason the question of the user's settings.
 */
export async function questionByRule(
  turn: Turn,
  { id, tool, input }: ToolCall,
  due: boolean,
  reason?: string,
): Promise<string | undefined> {
  const details = reason === undefined ? {} : { question: reason };
  if (!turn.stack.has.approval) return due ? questionForPerson(turn, id, tool.name, input, details) : undefined;
  if (isDecided(turn, id)) return questionForPerson(turn, id, tool.name, input, details);
  await turn.opened;
  const rule = await turn.admission.waits({ id, tool, input, call: turn.call });
  if (rule === "decided" || (rule === undefined && !due)) return undefined;
  return questionForPerson(turn, id, tool.name, input, { ...details, ...rule });
}

/** Returns true if the history contains a decision of a person on this call. */
export const isDecided = ({ waited }: Turn, id: string): boolean =>
  waited.some((call) => call.id === id && call.approval !== undefined);

function decide(turn: Turn, id: string, name: string, { approve, by, ...rest }: Approval): void {
  const about = {
    toolCallId: id,
    toolName: name,
    ...(turn.call && { call: turn.call }),
    ...(by !== undefined && { by }),
  };
  if (!approve) {
    turn.run.notify({ type: "approval", decision: "rejected", ...about });
    const note = rest.message === undefined ? "" : ` They say: ${rest.message}`;
    const refused = new AiSdkError(
      "ERR_AI_SDK_TOOL_REJECTED",
      `A person refused this call of ${name}; it was not run.${note}`,
    );
    turn.verdicts.set(id, { refused });
    return;
  }
  const edited = rest.arguments !== undefined;
  turn.run.notify({ type: "approval", decision: edited ? "edited" : "approved", ...about });
  if (edited) turn.verdicts.set(id, { input: rest.arguments });
}

function approvalOf(answer: unknown): Approval {
  if (typeof answer === "object" && answer !== null && "approve" in answer && typeof answer.approve === "boolean") {
    return answer as Approval;
  }
  return { approve: answer === true };
}
