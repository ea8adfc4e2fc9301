import { isRecord } from "@suite/kit";
import type { ToolSet } from "ai";
import type { Settings } from "../framework.js";
import { notifyOfDenial } from "../turn/resume.js";
import type { Turn } from "../turn/turn.js";
import { isDecided, questionByRule } from "./approval.js";
import type { ToolCall } from "./run.js";
import { describedTool } from "./wrap.js";

/** A status of the framework's `toolApproval`. `undefined` is the status "not-applicable". */
type Status = string | { readonly type: string; readonly reason?: string } | undefined;

type Decide = (first: unknown, options?: { readonly toolCallId: string }) => unknown;

/** The argument of a function that decides on the calls of all tools. */
interface OfAllTools {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
}

/**
 * Returns the setting `toolApproval` (7) of a turn, with plugins between each decision and the framework: they are
 * notified of an approval and a denial, and a call that needs a person passes the `humanInput` layers.
 */
export function wrapToolApproval({ toolApproval }: Settings, tools: ToolSet, turn: Turn): unknown {
  const through = (id: string, name: string, input: unknown, status: unknown): Promise<Status> =>
    passStatus(turn, { id, tool: describedTool(name, tools[name] ?? {}), input }, status as Status);
  if (typeof toolApproval === "function") {
    const decide = toolApproval as Decide;
    return async (options: OfAllTools) => {
      const { toolCallId, toolName, input } = options.toolCall;
      return through(toolCallId, toolName, input, await decide(options));
    };
  }
  if (!isRecord(toolApproval)) return toolApproval;
  const entries = Object.entries(toolApproval).map(([name, setting]) => {
    if (setting === undefined || setting === null) return [name, setting];
    const decide: Decide = typeof setting === "function" ? (setting as Decide) : () => setting;
    const wrapped = async (input: unknown, options: { readonly toolCallId: string }) =>
      through(options.toolCallId, name, input, await decide(input, options));
    return [name, wrapped];
  });
  return Object.fromEntries(entries);
}

async function passStatus(turn: Turn, call: ToolCall, status: Status): Promise<Status> {
  const { type, reason } =
    typeof status === "object" ? status : { type: status ?? "not-applicable", reason: undefined };
  const { id, tool, input } = call;
  if (type === "denied") {
    await turn.opened;
    notifyOfDenial(turn.run, { id, name: tool.name, arguments: input, reason, call: turn.call });
    return status;
  }
  const isDue = type === "user-approval";
  const question = await questionByRule(turn, call, isDue, reason);
  if (question !== undefined) {
    const isSame = isDue && (reason === undefined || question === reason);
    return isSame ? status : { type: "user-approval", reason: question };
  }
  // A layer has decided in place of a person, so the framework runs the call. A refused call fails in its layers.
  if (isDue) return "not-applicable";
  if (type === "approved" && !isDecided(turn, id)) {
    await turn.opened;
    const about = { toolCallId: id, toolName: tool.name, ...(turn.call && { call: turn.call }) };
    turn.run.notify({ type: "approval", decision: "approved", ...about });
  }
  return status;
}
