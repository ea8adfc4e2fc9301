import type { Plugin } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { inRun } from "./in-run.js";
import { modelFor } from "./model/original.js";
import { type GivenRequest, RoundRequest } from "./model/request.js";
import { Round } from "./model/round.js";
import { ToolCall } from "./tool/call.js";
import { failureMessage } from "./tool/errors.js";
import { langchainTool, offeredTools } from "./tool/offered.js";

/** How the middleware of some plugins is made. */
export interface MiddlewareOptions {
  /**
   * What becomes of a tool that fails. `message` (the default): the model is told, as LangChain itself does it where no
   * middleware wraps tools. `throw`: a middleware further out deals with it (`toolRetryMiddleware`, say).
   */
  readonly toolErrors?: "message" | "throw";
}

/** The plugins of the middlewares that this package made. */
const known = new WeakMap<object, readonly Plugin[]>();

/** Undefined for a middleware of anybody else. */
export const pluginsOf = (middleware: object): readonly Plugin[] | undefined => known.get(middleware);

/** The hooks of `runs` at the places that LangChain has for a middleware. */
export function middlewareOf(runs: FrameworkRuns, { toolErrors = "message" }: MiddlewareOptions = {}): AgentMiddleware {
  const { stack } = runs;
  const middleware = createMiddleware({
    name: "suite",
    wrapModelCall: (request, handler) =>
      inRun(runs, async (within) => {
        const offered = (await offeredTools(stack, within.run)).map((tool) => langchainTool(tool, within.run));
        const model = await modelFor(request.model, { configurable: request.runtime.configurable });
        const round = new RoundRequest(request, model as GivenRequest["model"], offered);
        return new Round(stack, within, round, handler).result();
      }),
    wrapToolCall: (request, handler) =>
      inRun(runs, async (within) => {
        try {
          const offered = await offeredTools(stack, within.run);
          return await new ToolCall(stack, within, request, handler, offered).result();
        } catch (error) {
          const message = toolErrors === "throw" ? undefined : failureMessage(error, request);
          if (message === undefined) throw error;
          return message;
        }
      }),
  });
  known.set(middleware, stack.plugins);
  return middleware;
}
