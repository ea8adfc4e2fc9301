import { type Answer, type Invocation, type ToolCallPart, toolCall } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { abortable } from "@suite/core/framework";
import { AgentError } from "../errors.js";
import { copyOf } from "../pending/json.js";
import { ledgerOf } from "../totals/ledger.js";
import { Consent } from "./consent.js";
import type { ToolContext } from "./context.js";
import { agentOf, heldBy, runInner } from "./inner.js";
import { checked } from "./input.js";
import { ask, questionOf } from "./person.js";
import { withReturn } from "./progress.js";
import { type AgentTool, asksPerson } from "./tool.js";

/**
 * The innermost part of a tool call, which counts unless it waits.
 *
 * @param call as the history has it: what a person decides hangs on its id, whatever a layer makes of the request.
 */
export function executeTool(context: ToolContext, call: ToolCallPart): CallCore<"tool"> {
  const ledger = ledgerOf(context.run);
  const consent = new Consent(context, call);
  return async (invocation) => {
    let waits = false;
    try {
      const answer = await answerOf(context, invocation, call.id, consent);
      waits = "suspended" in answer;
      invocation.respond(answer);
    } finally {
      if (!waits) ledger.toolCalls++;
    }
  };
}

/** Checks the input, asks a person where that is due, runs the tool. */
async function answerOf(
  context: ToolContext,
  invocation: Invocation<"tool">,
  id: string,
  consent: Consent,
): Promise<Answer<"tool">> {
  const tool: AgentTool = invocation.request.tool;
  checkOffered(context, tool);
  const input = copyOf(invocation.request.input); // a retry, the history and whoever approved it keep their own
  const value = await checked(tool, input);
  if (asksPerson(tool)) return ask(context, invocation, "input", questionOf(value));
  const agent = agentOf(tool);
  if (agent !== undefined && heldBy(context.run, id) !== undefined) {
    return runInner(agent, context, invocation, id, value); // it has begun, and was approved then
  }
  const allowed = await consent.for(invocation, tool, input, value);
  if ("suspended" in allowed) return allowed;
  if (agent !== undefined) return runInner(agent, context, invocation, id, allowed.value);
  if (tool.execute === undefined) {
    return { suspended: [{ reason: "external", part: toolCall(id, tool.name, allowed.input) }] };
  }
  try {
    context.batch.begun.add(id);
    const done = await abortable(
      Promise.resolve(tool.execute(allowed.value, invocation.runtime, invocation.call)),
      context.run.signal,
    );
    return isAsyncIterable(done) ? { stream: withReturn(done) } : { value: done };
  } catch (error) {
    consent.giveBack();
    throw error;
  }
}

/** @throws AgentError `ERR_TOOL_UNKNOWN` */
function checkOffered({ tools, withheld }: ToolContext, { name }: AgentTool): void {
  if (tools.has(name) && !withheld.has(name)) return;
  const names = [...tools.keys()].filter((each) => !withheld.has(each));
  throw new AgentError(
    "ERR_TOOL_UNKNOWN",
    `There is no tool named ${JSON.stringify(name.slice(0, 64))}. Tools: ${names.join(", ") || "none"}.`,
  );
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
