import { toolCall } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import { AgentError } from "../errors.js";
import { abortable } from "./abortable.js";
import type { ToolContext } from "./context.js";
import { innerAgentOf, runInner } from "./inner.js";
import { checked } from "./input.js";
import { approved, ask, questionOf } from "./person.js";
import { type AgentTool, asksPerson } from "./tool.js";

/** The innermost part of a tool call: checks the input, asks a person where that is due, runs the tool. */
export function executeTool(context: ToolContext): CallCore<"tool"> {
  return async (invocation) => {
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
    if (allowed === undefined) return;
    const agent = innerAgentOf(tool);
    if (agent !== undefined) return runInner(agent, invocation, allowed.input);
    if (tool.execute === undefined) {
      const part = toolCall(id, tool.name, input);
      return invocation.respond({ suspended: [{ reason: "external", part }] });
    }
    const { signal } = context.run;
    const done = await abortable(
      Promise.resolve(tool.execute(allowed.input, invocation.runtime, invocation.call)),
      signal,
    );
    invocation.respond(isAsyncIterable(done) ? { stream: done } : { value: done });
  };
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
