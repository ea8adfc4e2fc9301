import { ToolMessage } from "@langchain/core/messages";
import { isGraphBubbleUp } from "@langchain/langgraph";
import { MiddlewareTermination } from "@suite/core";
import { ToolInvocationError } from "langchain";
import type { GivenToolCall } from "./request.js";

/**
 * The message by which LangChain tells the model of a tool that failed, where no middleware wraps tools: with one there, it would end the run.
 *
 * @returns undefined for what ends the run all the same.
 */
export function failureMessage(error: unknown, { toolCall, runtime }: GivenToolCall): ToolMessage | undefined {
  if (isGraphBubbleUp(error) || runtime.signal?.aborted === true) return undefined;
  if (MiddlewareTermination.is(error) && error.scope === "run") return undefined;
  const content = ToolInvocationError.isInstance(error)
    ? withoutFrames(error.message)
    : `${error}\n Please fix your mistakes.`;
  return new ToolMessage({ content, tool_call_id: toolCall.id ?? "", name: toolCall.name, status: "error" });
}

/** The message of LangChain on wrong arguments, without the stack frames in it: they are none of the model's business. */
const withoutFrames = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s{1,16}at \S/.test(line))
    .join("\n");
