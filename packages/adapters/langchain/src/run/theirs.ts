import { Runnable } from "@langchain/core/runnables";
import type { FrameworkRuns } from "@suite/core/framework";
import type { AgentMiddleware } from "langchain";
import { type Hook, hookOf, modelHooks, withHooks } from "../hooks.js";
import { routeInterrupts } from "../human/hooks.js";
import { directModel } from "../model/direct.js";
import { remembering } from "../model/original.js";
import { nameOfTool } from "../tool/neutral.js";
import { unwrapped } from "./errors.js";

type WrapModelCall = NonNullable<AgentMiddleware["wrapModelCall"]>;

/** The context of a user's middleware: the data of its agent. */
export interface Within {
  readonly runs: FrameworkRuns;
  /** The tools of the agent, without those of middlewares. */
  readonly tools: readonly object[];
  /** True if LangChain assumes that new tools are run, because the middleware of the plugins wraps tool calls. */
  readonly wrapsTools: boolean;
}

/** True for tools that run in this process. Others are sent to the provider unchanged. */
export const runsHere = (tool: object): boolean => Runnable.isRunnable(tool);

/**
 * Returns the middlewares of the user, adapted to run around the one of the plugins. If they call a model themselves,
 * its calls pass through the layers. Inner errors look to them as they do without plugins.
 */
export function aroundOurs(theirs: readonly AgentMiddleware[], within: Within): readonly AgentMiddleware[] {
  const { runs } = within;
  const direct = runs.stack.hasAny(modelHooks)
    ? remembering((model) => directModel(model, runs))
    : <T>(model: T): T => model;
  const innermost = theirs.findLast((one) => hookOf(one, "wrapModelCall") !== undefined);
  const refuse = refusal(theirs, within);
  return theirs.map((one) => {
    const wrapping = withHooks(one, ["wrapModelCall"], (hook) => {
      const wrap = hook as unknown as WrapModelCall;
      const wrapped: WrapModelCall = (request, handler) =>
        wrap({ ...request, model: direct(request.model) }, async (changed) => {
          refuse?.(changed.tools, one.name);
          if (one !== innermost) return handler(changed);
          try {
            return await handler(changed);
          } catch (error) {
            throw unwrapped(error);
          }
        });
      return wrapped as unknown as Hook;
    });
    return routeInterrupts(wrapping, runs);
  });
}

/**
 * Restores LangChain's check for tools that would not be run, which LangChain skips if the middleware of the plugins
 * wraps tool calls.
 */
function refusal(theirs: readonly AgentMiddleware[], { tools, wrapsTools }: Within) {
  if (!wrapsTools || theirs.some((one) => hookOf(one, "wrapToolCall") !== undefined)) return undefined;
  const registered = new Set([...tools, ...theirs.flatMap((one) => one.tools ?? [])].map(nameOfTool));
  return (tools: readonly object[] | undefined, middleware: string): void => {
    const added = (tools ?? []).filter((tool) => runsHere(tool) && !registered.has(nameOfTool(tool)));
    if (added.length === 0) return;
    throw new Error(
      `You have added a new tool in "wrapModelCall" hook of middleware "${middleware}": ${added.map(nameOfTool).join(", ")}. ` +
        `This is not supported unless a middleware provides a "wrapToolCall" handler to execute it.`,
    );
  };
}
