import type { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { type AgentMiddleware, initChatModel } from "langchain";
import { allHooks, hookOf, withHooks } from "./hooks.js";
import { directModel } from "./model/direct.js";

/**
 * The creators of LangChain middlewares that call a model, by name. The values are the options of a model that is
 * created from its name.
 */
const makers = {
  summarizationMiddleware: {},
  llmToolSelectorMiddleware: {},
  toolEmulatorMiddleware: { temperature: 1 },
} as const;

type Make = (this: void, options?: unknown, ...rest: unknown[]) => AgentMiddleware;

/** Returns the creators with models that pass through the layers. */
export function callingMiddlewares(langchain: object, runs: FrameworkRuns): Record<string, Make> {
  const wrappers = Object.entries(makers).flatMap(([name, fields]) => {
    const exported: unknown = Reflect.get(langchain, name);
    if (typeof exported !== "function") return [];
    const make = exported as Make;
    const wrapped: Make = (options, ...rest) => {
      const model = isRecord(options) ? options.model : undefined;
      const calling = (model: object) => make({ ...(options as object), model: directModel(model, runs) }, ...rest);
      if (typeof model === "string") {
        return deferredMiddleware(make(options, ...rest), async () => calling(await initChatModel(model, fields)));
      }
      return typeof model === "object" && model !== null ? calling(model) : make(options, ...rest);
    };
    return [[name, wrapped] as const];
  });
  return Object.fromEntries(wrappers);
}

/** Creates a middleware that is made when it is first needed, because a model's name is resolved asynchronously. */
function deferredMiddleware(alike: AgentMiddleware, make: () => Promise<AgentMiddleware>): AgentMiddleware {
  let created: Promise<AgentMiddleware> | undefined;
  return withHooks(alike, allHooks, (_, name) => async (...args) => {
    created ??= make();
    return hookOf(await created, name)?.(...args);
  });
}
