import { FrameworkRuns } from "@suite/core/framework";
import type { AgentMiddleware, CreateAgentParams, createAgent } from "langchain";
import { agentHooks, hookOf } from "../hooks.js";
import { middlewareOf, stackOf } from "../middleware.js";
import { warnOfLangSmith } from "../own-telemetry.js";
import { guardedAgent } from "./guarded.js";
import type { Agent } from "./target.js";
import { aroundOurs, runsHere } from "./theirs.js";

type CreateAgent = typeof createAgent;
type Params = Omit<CreateAgentParams, "middleware"> & { readonly middleware?: readonly AgentMiddleware[] };

/**
 * Returns a `createAgent` with plugins. Their middleware is the innermost, so that it sees the final requests of other
 * middlewares and each retry.
 */
export function creatorOf(create: CreateAgent, shared: FrameworkRuns): CreateAgent {
  const createAgent = create as unknown as (params: object) => Agent;
  const { stack } = shared;
  return ((params: Params) => {
    warnOfLangSmith();
    const middlewares = params.middleware ?? [];
    const theirs = middlewares.filter((middleware) => stackOf(middleware) === undefined);
    // Plugins that are attached twice form one pipeline.
    const middlewareStacks = middlewares.flatMap((middleware) => stackOf(middleware) ?? []);
    const joined = middlewareStacks.reduce((all, one) => all.append(one.plugins, all.identify ?? one.identify), stack);
    const runs = joined === stack ? shared : new FrameworkRuns(joined);
    // Without agent hooks, LangChain's middlewares, models and tools are used unchanged.
    if (!joined.hasAny(agentHooks)) return guardedAgent(createAgent({ ...params, middleware: theirs }), runs);
    const tools = params.tools ?? [];
    const theyWrapTools = theirs.some((one) => hookOf(one, "wrapToolCall") !== undefined);
    // With a middleware that wraps tool calls, LangChain answers every call of the model, even for tools that run
    // elsewhere.
    const run = theyWrapTools || [...tools, ...theirs.flatMap((one) => one.tools ?? [])].some(runsHere);
    const ours = middlewareOf(runs, { toolErrors: theyWrapTools ? "throw" : "message", toolCalls: run });
    const wrapsTools = ours.wrapToolCall !== undefined;
    const middleware = [...aroundOurs(theirs, { runs, tools, wrapsTools }), ours];
    return guardedAgent(createAgent({ ...params, middleware }), runs);
  }) as unknown as CreateAgent;
}
