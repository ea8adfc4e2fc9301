import { type BaseMessage, isAIMessage } from "@langchain/core/messages";
import { isGraphInterrupt } from "@langchain/langgraph";
import { toolCallsOf } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import type { AgentMiddleware } from "langchain";
import { type Hook, nodeHooks, withHooks } from "../hooks.js";
import { toMessage } from "../messages/to-neutral.js";
import { sendQuestions } from "./ask.js";

/** A hook of a middleware that runs as a node of the graph. */
type NodeHook = (state: { readonly messages?: readonly BaseMessage[] }, ...more: unknown[]) => unknown;

/**
 * Returns a copy of a LangChain middleware whose hooks may interrupt the graph to ask a person. The question of such an
 * interrupt passes through the `humanInput` layers before LangGraph sees it. Other errors, and hooks outside of a run,
 * are unchanged.
 */
export const routeInterrupts = <M extends AgentMiddleware>(middleware: M, runs: FrameworkRuns): M =>
  withHooks(middleware, nodeHooks, (hook) => throughHumanInput(hook as NodeHook, runs) as Hook);

/** Wraps a hook so that its interrupts pass through the `humanInput` layers. */
const throughHumanInput =
  (hook: NodeHook, runs: FrameworkRuns): NodeHook =>
  async (state, ...more) => {
    try {
      return await hook(state, ...more);
    } catch (error) {
      const { current } = runs;
      if (!isGraphInterrupt(error) || current === undefined) throw error;
      const { messages = [] } = state;
      const at = messages.findLastIndex((message) => isAIMessage(message));
      const history = messages.slice(0, at + 1).map(toMessage);
      const last = history.at(-1);
      const calls = last === undefined ? [] : toolCallsOf(last);
      throw await sendQuestions(runs.stack, current, error, calls, { batch: calls, history });
    }
  };
