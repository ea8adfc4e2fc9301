import { type BaseMessage, isAIMessage } from "@langchain/core/messages";
import { type Message, type Tool, type ToolRequest, toolCallsOf } from "@suite/core";
import type { ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { AgentMiddleware } from "langchain";
import { toMessage } from "../messages/to-neutral.js";

export type WrapToolCall = NonNullable<AgentMiddleware["wrapToolCall"]>;
/** The request of a tool call in LangChain. */
export type WrapToolRequest = Parameters<WrapToolCall>[0];
export type ToolHandler = Parameters<WrapToolCall>[1];

/** Returns a tool call as layers see it. The conversation is converted when it is first read. */
export function toolRequestOf({ toolCall, state }: WrapToolRequest, tool: Tool): ToolRequest {
  const { id = "", args } = toolCall;
  let history: readonly Message[] | undefined;
  const around = (): readonly Message[] | undefined => {
    history ??= historyOf(state, id);
    return history;
  };
  return {
    id,
    tool,
    input: args,
    get batch(): readonly ToolCallPart[] | undefined {
      const last = around()?.at(-1);
      return last && toolCallsOf(last);
    },
    get history() {
      return around();
    },
  };
}

/**
 * Returns the conversation up to the answer that contains this call, or `undefined` if the graph's state does not
 * contain it.
 */
function historyOf(state: unknown, id: string): readonly Message[] | undefined {
  const messages = isRecord(state) && Array.isArray(state.messages) ? (state.messages as readonly BaseMessage[]) : [];
  const at = messages.findLastIndex(
    (one) => isAIMessage(one) && one.tool_calls?.some((call) => call.id === id) === true,
  );
  return at < 0 ? undefined : messages.slice(0, at + 1).map(toMessage);
}
