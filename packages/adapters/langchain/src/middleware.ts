import type { Plugin } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import type { FrameworkRuns, InRun } from "@suite/core/framework";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { leavingAsItIs } from "./agent/errors.js";
import { modelHooks } from "./hooks.js";
import { inRun } from "./in-run.js";
import { modelFor } from "./model/original.js";
import { type GivenRequest, type Handler, RoundRequest } from "./model/request.js";
import { Round } from "./model/round.js";
import { type GivenToolCall, ToolCall, type ToolHandler, type ToolResult, type WrapToolCall } from "./tool/call.js";
import { failureMessage } from "./tool/errors.js";
import { langchainTool, offeredTools } from "./tool/offered.js";

/** How the middleware of some plugins is made. */
export interface MiddlewareOptions {
  /**
   * What becomes of a tool that fails. `message` (the default): the model is told, as LangChain itself does it where no
   * middleware wraps tools. `throw`: a middleware further out deals with it (`toolRetryMiddleware`, say).
   */
  readonly toolErrors?: "message" | "throw";
  /**
   * Whether tool calls go through the plugins; true by default. Say `false` for an agent none of whose tools run here (tools of
   * the provider, definitions): where a middleware wraps tool calls, LangChain answers the calls of such an agent itself.
   */
  readonly toolCalls?: boolean;
}

/** The plugins of the middlewares that this package made. */
const known = new WeakMap<object, readonly Plugin[]>();

/** Undefined for a middleware of anybody else. */
export const pluginsOf = (middleware: object): readonly Plugin[] | undefined => known.get(middleware);

/** The hooks of `runs` at the places that LangChain has for a middleware. */
export function middlewareOf(runs: FrameworkRuns, options: MiddlewareOptions = {}): AgentMiddleware {
  const { stack } = runs;
  const wraps = stack.has.tools || (options.toolCalls !== false && (stack.has.tool || stack.has.humanInput));
  const asks = stack.hasAny(["agent", ...modelHooks]);
  const middleware = createMiddleware({
    name: "suite",
    wrapModelCall: (request, handler) =>
      leavingAsItIs(
        asks
          ? inRun(runs, (within) => modelCall(stack, within, request, handler))
          : runs.direct("model", () => Promise.resolve(handler(request))),
      ),
    ...(wraps && { wrapToolCall: toolCalls(runs, options) }),
  });
  known.set(middleware, stack.plugins);
  return middleware;
}

async function modelCall(stack: PluginStack, within: InRun, request: GivenRequest, handler: Handler) {
  const offered = (await offeredTools(stack, within.run)).map((tool) => langchainTool(tool, within.run));
  const model = await modelFor(request.model, { configurable: request.runtime.configurable });
  const round = new RoundRequest(request, model as GivenRequest["model"], offered);
  return new Round(stack, within, round, handler).result();
}

function toolCalls(runs: FrameworkRuns, { toolErrors = "message" }: MiddlewareOptions): WrapToolCall {
  const { stack } = runs;
  const toolCall = async (within: InRun, request: GivenToolCall, handler: ToolHandler): Promise<ToolResult> => {
    try {
      const offered = await offeredTools(stack, within.run);
      return await new ToolCall(stack, within, request, handler, offered).result();
    } catch (error) {
      const message = toolErrors === "throw" ? undefined : failureMessage(error, request);
      if (message === undefined) throw error;
      return message;
    }
  };
  return (request, handler) => leavingAsItIs(inRun(runs, (within) => toolCall(within, request, handler)));
}
