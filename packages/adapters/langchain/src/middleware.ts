import type { PluginStack, WithPluginsOptions } from "@suite/core/adapter";
import type { FrameworkRuns, InRun } from "@suite/core/framework";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { modelHooks } from "./hooks.js";
import { inRun } from "./in-run.js";
import { modelFor } from "./model/original.js";
import { type Handler, RoundRequest, type WrapModelRequest } from "./model/request.js";
import { Round } from "./model/round.js";
import { endByTool, replyIn, replyOfEndedRun } from "./run/ending.js";
import { leavingUnwrapped } from "./run/errors.js";
import { ToolCall, type ToolResult } from "./tool/call.js";
import { failureMessage } from "./tool/errors.js";
import { langchainTool, offeredTools } from "./tool/offered.js";
import type { ToolHandler, WrapToolCall, WrapToolRequest } from "./tool/request.js";

/** The options for the middleware of some plugins. */
export interface MiddlewareOptions extends WithPluginsOptions {
  /**
   * Behavior when a tool fails. `message` (the default): the model receives a message, as in LangChain without a
   * middleware that wraps tools. `throw`: an outer middleware handles the error, for example `toolRetryMiddleware`.
   */
  readonly toolErrors?: "message" | "throw";
  /**
   * Whether tool calls pass through the plugins. Default true. Set `false` for an agent whose tools all run elsewhere
   * (tools of the provider, definitions): if a middleware wraps tool calls, LangChain answers the calls of such an
   * agent itself.
   */
  readonly toolCalls?: boolean;
}

/** The plugins of the middlewares that this package created. */
const known = new WeakMap<object, PluginStack>();

/** Returns the plugins of a middleware that this package created, or `undefined` for others. */
export const stackOf = (middleware: object): PluginStack | undefined => known.get(middleware);

/** Creates a LangChain middleware that runs the hooks of the plugins. */
export function middlewareOf(runs: FrameworkRuns, options: MiddlewareOptions = {}): AgentMiddleware {
  const { stack } = runs;
  const wraps = stack.has.tools || (options.toolCalls !== false && stack.hasAny(["tool", "humanInput", "approval"]));
  const runsLayers = stack.hasAny(["agent", ...modelHooks]);
  const middleware = createMiddleware({
    name: "suite",
    wrapModelCall: (request, handler) =>
      leavingUnwrapped(
        runsLayers
          ? inRun(runs, (within) => modelCall(stack, within, request, handler), request.runtime)
          : callDirectly(runs, request, handler),
      ),
    ...(wraps && { wrapToolCall: toolCalls(runs, options) }),
  });
  known.set(middleware, stack);
  return middleware;
}

/** Makes a model call without layers. A tool layer may still have ended the run. */
async function callDirectly(runs: FrameworkRuns, request: WrapModelRequest, handler: Handler) {
  const { current, stack } = runs;
  const ending = stack.has.tool && current !== undefined ? replyOfEndedRun(current.run) : undefined;
  if (ending === undefined) return runs.direct("model", () => Promise.resolve(handler(request)));
  return (await roundOf(stack, current as InRun, request, handler)).answerWith(ending);
}

async function modelCall(stack: PluginStack, within: InRun, request: WrapModelRequest, handler: Handler) {
  const { run } = within;
  const round = await roundOf(stack, within, request, handler);
  const ending = replyOfEndedRun(run);
  if (ending !== undefined) return round.answerWith(ending);
  try {
    return await round.result();
  } catch (error) {
    const reply = replyIn(error, run);
    if (reply === undefined) throw error;
    run.terminated(error);
    return round.answerWith(reply);
  }
}

async function roundOf(stack: PluginStack, within: InRun, request: WrapModelRequest, handler: Handler): Promise<Round> {
  const offered = (await offeredTools(stack, within.run)).map((tool) => langchainTool(tool, within.run));
  const model = await modelFor(request.model, { configurable: request.runtime.configurable });
  const roundRequest = new RoundRequest(request, model as WrapModelRequest["model"], offered);
  return new Round(stack, within, roundRequest, handler);
}

function toolCalls(runs: FrameworkRuns, { toolErrors = "message" }: MiddlewareOptions): WrapToolCall {
  const { stack } = runs;
  const toolCall = async (within: InRun, request: WrapToolRequest, handler: ToolHandler): Promise<ToolResult> => {
    try {
      const offered = await offeredTools(stack, within.run);
      return await new ToolCall(stack, within, request, handler, offered).result();
    } catch (error) {
      const ending = endByTool(within.run, error, request.toolCall);
      if (ending !== undefined) return ending;
      const message = toolErrors === "throw" ? undefined : failureMessage(error, request);
      if (message === undefined) throw error;
      return message;
    }
  };
  return (request, handler) =>
    leavingUnwrapped(inRun(runs, (within) => toolCall(within, request, handler), request.runtime));
}
