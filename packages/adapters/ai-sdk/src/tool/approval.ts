import { type ApprovalRule, type Pending, toolCall } from "@suite/core";
import { AiSdkError } from "../errors.js";
import type { Turn } from "../turn/turn.js";
import type { ToolCall } from "./run.js";

/** An answer that a `humanInput` layer gives in a person's place: as for a tool of `@suite/agent`. */
interface Approval {
  readonly approve: boolean;
  readonly arguments?: unknown;
  readonly message?: string;
  readonly by?: string;
}

/**
 * Whether a call that needs an approval is to wait for a person. Its `humanInput` layers may decide in their place: then it
 * runs, with edited arguments maybe, or is refused, and nobody waits.
 */
export async function waitsForPerson(
  turn: Turn,
  id: string,
  name: string,
  input: unknown,
  { question = `May ${name} run with these arguments?`, decisions }: ApprovalRule = {},
): Promise<boolean> {
  // What was decided while the run waited is asked for again by the framework, and not by us.
  if (isDecided(turn, id)) return true;
  if (!turn.stack.has.humanInput) return true;
  await turn.opened;
  const about = toolCall(id, name, input);
  const outcome = await turn.stack.call(
    "humanInput",
    turn.run,
    { question, about, ...(decisions !== undefined && { decisions }) },
    async (invocation) => {
      const pending: Pending = { reason: "approval", part: about, question: invocation.request.question };
      invocation.respond({ suspended: [pending] });
    },
    turn.call,
  );
  await outcome.final().catch(() => {}); // told by the settlement
  const settlement = await outcome.settled;
  if (settlement.status === "suspended") return true;
  if (settlement.status === "failed") throw settlement.error;
  if (settlement.status === "cancelled") throw settlement.reason;
  const approval = approvalOf(settlement.final);
  if (approval.approve) turn.approvedHere.set(id, input);
  decide(turn, id, name, approval);
  return false;
}

/** Whether a call is to wait, as plugins and the tool itself have it. */
export async function waitsByRule(turn: Turn, { id, tool, input }: ToolCall, due: boolean): Promise<boolean> {
  if (isDecided(turn, id)) return true;
  await turn.opened;
  const rule = await turn.admission.waits({ id, tool, input, call: turn.call });
  if (rule === "decided" || (rule === undefined && !due)) return false;
  return waitsForPerson(turn, id, tool.name, input, rule);
}

const isDecided = ({ waited }: Turn, id: string): boolean =>
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
    const said = rest.message === undefined ? "" : ` They say: ${rest.message}`;
    const refused = new AiSdkError(
      "ERR_AI_SDK_TOOL_REJECTED",
      `A person refused this call of ${name}; it was not run.${said}`,
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
