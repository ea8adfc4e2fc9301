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

/** `createAgent` with plugins. Their middleware is innermost: what others change, or ask again, is seen as it is asked. */
export function creatorOf(create: CreateAgent, shared: FrameworkRuns): CreateAgent {
  const plain = create as unknown as (params: object) => Agent;
  const { stack } = shared;
  return ((params: Params) => {
    warnOfLangSmith();
    const given = params.middleware ?? [];
    const theirs = given.filter((middleware) => stackOf(middleware) === undefined);
    // Plugins that are attached twice are one pipeline.
    const ownStacks = given.flatMap((middleware) => stackOf(middleware) ?? []);
    const joined = ownStacks.reduce((all, one) => all.append(one.plugins, all.identify ?? one.identify), stack);
    const runs = joined === stack ? shared : new FrameworkRuns(joined);
    // Where nothing is asked for, LangChain's own middlewares, models and tools are all there is.
    if (!joined.hasAny(agentHooks)) return guardedAgent(plain({ ...params, middleware: theirs }), runs);
    const tools = params.tools ?? [];
    const theyWrapTools = theirs.some((one) => hookOf(one, "wrapToolCall") !== undefined);
    // With a middleware that wraps tool calls LangChain answers each call of the model, also of tools that do not run here.
    const run = theyWrapTools || [...tools, ...theirs.flatMap((one) => one.tools ?? [])].some(runsHere);
    const ours = middlewareOf(runs, { toolErrors: theyWrapTools ? "throw" : "message", toolCalls: run });
    const wrapsTools = ours.wrapToolCall !== undefined;
    const middleware = [...aroundOurs(theirs, { runs, tools, wrapsTools }), ours];
    return guardedAgent(plain({ ...params, middleware }), runs);
  }) as unknown as CreateAgent;
}
