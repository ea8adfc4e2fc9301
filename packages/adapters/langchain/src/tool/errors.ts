import { ToolMessage } from "@langchain/core/messages";
import { isGraphBubbleUp } from "@langchain/langgraph";
import { MiddlewareTermination } from "@suite/core";
import { ToolInvocationError } from "langchain";
import type { WrapToolRequest } from "./request.js";

/**
 * Returns LangChain's message to the model about a failed tool, as LangChain creates it if no middleware wraps tools.
 * With such a middleware the error would end the run.
 *
 * @returns undefined for errors that end the run in any case.
 */
export function failureMessage(error: unknown, { toolCall, runtime }: WrapToolRequest): ToolMessage | undefined {
  if (isGraphBubbleUp(error) || runtime.signal?.aborted === true) return undefined;
  if (MiddlewareTermination.is(error) && error.scope === "run") return undefined;
  const content = ToolInvocationError.isInstance(error)
    ? withoutFrames(error.message)
    : `${error}\n Please fix your mistakes.`;
  return new ToolMessage({ content, tool_call_id: toolCall.id ?? "", name: toolCall.name, status: "error" });
}

/** Removes the stack frames from LangChain's message about wrong arguments, because the model must not see them. */
const withoutFrames = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s{1,16}at \S/.test(line))
    .join("\n");
