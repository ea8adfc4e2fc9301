import { type Answer, type Invocation, toolCall } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { abortable } from "@suite/core/framework";
import { AgentError } from "../errors.js";
import { ledgerOf } from "../totals/ledger.js";
import type { ToolContext } from "./context.js";
import { innerAgentOf, runInner } from "./inner.js";
import { checked } from "./input.js";
import { approved, ask, questionOf } from "./person.js";
import { type AgentTool, asksPerson } from "./tool.js";

/** The innermost part of a tool call, which counts unless it waits. */
export function executeTool(context: ToolContext): CallCore<"tool"> {
  const ledger = ledgerOf(context.run);
  return async (invocation) => {
    let waits = false;
    try {
      const answer = await answerOf(context, invocation);
      waits = "suspended" in answer;
      invocation.respond(answer);
    } finally {
      if (!waits) ledger.toolCalls++;
    }
  };
}

/** Checks the input, asks a person where that is due, runs the tool. */
async function answerOf(context: ToolContext, invocation: Invocation<"tool">): Promise<Answer<"tool">> {
  const { id, input } = invocation.request;
  const tool: AgentTool = invocation.request.tool;
  if (!context.tools.has(tool.name)) {
    const names = [...context.tools.keys()];
    throw new AgentError(
      "ERR_TOOL_UNKNOWN",
      `There is no tool named ${JSON.stringify(tool.name.slice(0, 64))}. Tools: ${names.join(", ") || "none"}.`,
    );
  }
  const value = await checked(tool, input);
  if (asksPerson(tool)) return ask(context, invocation, "input", questionOf(value));
  const allowed = await approved(context, invocation, tool, value);
  if ("suspended" in allowed) return allowed;
  const agent = innerAgentOf(tool);
  if (agent !== undefined) return runInner(agent, invocation, allowed.input);
  if (tool.execute === undefined) {
    return { suspended: [{ reason: "external", part: toolCall(id, tool.name, input) }] };
  }
  const { signal } = context.run;
  const done = await abortable(
    Promise.resolve(tool.execute(allowed.input, invocation.runtime, invocation.call)),
    signal,
  );
  return isAsyncIterable(done) ? { stream: done } : { value: done };
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
