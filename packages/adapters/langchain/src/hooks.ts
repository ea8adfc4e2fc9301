import type { AgentMiddleware } from "langchain";
import { standIn } from "./stand-in.js";

/** The hooks of a middleware that are nodes of the graph, and therefore can interrupt it. */
export const nodeHooks = ["beforeAgent", "beforeModel", "afterModel", "afterAgent"] as const;

/** All hooks of a middleware. */
export const allHooks = [...nodeHooks, "wrapModelCall", "wrapToolCall"] as const;

export type HookName = (typeof allHooks)[number];
export type Hook = (...args: never[]) => unknown;

/** The plugin hooks that run in the calls of a model. */
export const modelHooks = ["reasoning", "model", "systemPrompt", "tools"] as const;

/** The plugin hooks that run in an agent. */
export const agentHooks = ["agent", ...modelHooks, "tool", "humanInput", "approval"] as const;

/** Returns the function of a hook. A hook can be an object that also contains its jump targets. */
export function hookOf(middleware: AgentMiddleware, name: HookName): Hook | undefined {
  const hook: unknown = middleware[name];
  if (typeof hook === "function") return hook as Hook;
  return typeof hook === "object" && hook !== null && "hook" in hook ? (hook.hook as Hook) : undefined;
}

/**
 * Returns a middleware with some of its hooks replaced. It inherits everything else, because a middleware may be an
 * instance of a class.
 *
 * @param change receives the hook, bound to its middleware.
 */
export function withHooks<M extends AgentMiddleware>(
  middleware: M,
  names: readonly HookName[],
  change: (hook: Hook, name: HookName) => Hook,
): M {
  const changed: PropertyDescriptorMap = {};
  for (const name of names) {
    const hook = hookOf(middleware, name);
    if (hook === undefined) continue;
    const original: unknown = middleware[name];
    const changedHook = change(hook.bind(middleware), name);
    const value = typeof original === "object" ? { ...original, hook: changedHook } : changedHook;
    changed[name] = { value, enumerable: true, writable: true, configurable: true };
  }
  return Object.keys(changed).length === 0 ? middleware : standIn(middleware, changed, () => true);
}
