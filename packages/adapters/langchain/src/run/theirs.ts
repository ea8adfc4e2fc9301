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

/** The surroundings of a middleware: what is to be known of an agent to stand in its middlewares. */
export interface Within {
  readonly runs: FrameworkRuns;
  /** The agent's own tools. */
  readonly tools: readonly object[];
  /** Whether LangChain believes that new tools are run, since the middleware of the plugins wraps tool calls. */
  readonly wrapsTools: boolean;
}

/** The tools that run in this process; others are sent to the provider as they are. */
export const runsHere = (tool: object): boolean => Runnable.isRunnable(tool);

/**
 * The middlewares of the user, as they stand around that of the plugins. A model that they are handed they may call by
 * themselves, through the layers; what is further in looks to them as it does without plugins.
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

/** LangChain's own refusal of tools that nobody runs, which it leaves out where the middleware of the plugins wraps tool calls. */
function refusal(theirs: readonly AgentMiddleware[], { tools, wrapsTools }: Within) {
  if (!wrapsTools || theirs.some((one) => hookOf(one, "wrapToolCall") !== undefined)) return undefined;
  const registered = new Set([...tools, ...theirs.flatMap((one) => one.tools ?? [])].map(nameOfTool));
  return (asked: readonly object[] | undefined, middleware: string): void => {
    const added = (asked ?? []).filter((tool) => runsHere(tool) && !registered.has(nameOfTool(tool)));
    if (added.length === 0) return;
    throw new Error(
      `You have added a new tool in "wrapModelCall" hook of middleware "${middleware}": ${added.map(nameOfTool).join(", ")}. ` +
        `This is not supported unless a middleware provides a "wrapToolCall" handler to execute it.`,
    );
  };
}
