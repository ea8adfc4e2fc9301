import { FrameworkRuns } from "@suite/core/framework";
import { type AgentMiddleware, type CreateAgentParams, type createAgent, createMiddleware } from "langchain";
import { askingMiddleware } from "../human/hooks.js";
import { middlewareOf, pluginsOf } from "../middleware.js";
import { directModel } from "../model/direct.js";
import { warnOfLangSmith } from "../telemetry.js";
import { passing } from "./errors.js";
import { guardedAgent } from "./guarded.js";
import type { Agent } from "./target.js";

type CreateAgent = typeof createAgent;
type Params = Omit<CreateAgentParams, "middleware"> & { readonly middleware?: readonly AgentMiddleware[] };

/** `createAgent` with plugins. Their middleware is innermost: what others change, or ask again, is seen as it is asked. */
export function creatorOf(create: CreateAgent, shared: FrameworkRuns): CreateAgent {
  const plain = create as unknown as (params: object) => Agent;
  const { stack } = shared;
  return ((params: Params) => {
    warnOfLangSmith();
    const given = params.middleware ?? [];
    const theirs = given.filter((middleware) => pluginsOf(middleware) === undefined);
    // Plugins that are attached twice are one pipeline.
    const joined = stack.append(given.flatMap((middleware) => pluginsOf(middleware) ?? []));
    const runs = joined === stack ? shared : new FrameworkRuns(joined);
    const toolErrors = theirs.some(({ wrapToolCall }) => wrapToolCall !== undefined) ? "throw" : "message";
    const middleware = [
      ...(theirs.some(({ wrapModelCall }) => wrapModelCall !== undefined) ? [directing(runs)] : []),
      ...theirs.map((one) => askingMiddleware(one, runs)),
      middlewareOf(runs, { toolErrors }),
    ];
    return guardedAgent(plain({ ...params, middleware }), runs);
  }) as unknown as CreateAgent;
}

/** Gives middlewares further in a model that they may call by themselves. */
const directing = (runs: FrameworkRuns): AgentMiddleware =>
  createMiddleware({
    name: "suite.model",
    async wrapModelCall(request, handler) {
      try {
        return await handler({ ...request, model: directModel(request.model, runs) });
      } catch (error) {
        throw passing(error);
      }
    },
  });
