import { defineAdapter } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { createAgent } from "langchain";
import { creatorOf } from "./agent/create.js";
import { callingMiddlewares } from "./calling-middlewares.js";
import { modelHooks } from "./hooks.js";

/** LangChain as it is imported: `import * as langchain from "langchain"`. */
export interface LangChain {
  readonly createAgent: typeof createAgent;
}

/**
 * Gives LangChain back with plugins: each agent of its `createAgent` runs with them, also one that is a tool of another.
 * Its middlewares that call a model by themselves (for summaries, say) call it with them, too. All else is LangChain's own.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 * @example
 * ```ts
 * import * as langchain from "langchain";
 * const { createAgent } = withPlugins(langchain, [tracing(), pii({ email: "redact" })]);
 * await createAgent({ model, tools }).invoke({ messages });
 * ```
 */
export const withPlugins = defineAdapter<
  LangChain,
  "agent" | "reasoning" | "model" | "tool" | "humanInput" | "systemPrompt" | "tools" | "observe"
>({
  name: "@suite/langchain",
  serves: ["agent", "reasoning", "model", "tool", "humanInput", "systemPrompt", "tools", "observe"],
  attach(langchain, stack) {
    const runs = new FrameworkRuns(stack);
    const createAgent = creatorOf(langchain.createAgent, runs);
    const calling = stack.hasAny(modelHooks) ? callingMiddlewares(langchain, runs) : {};
    return { ...langchain, ...calling, createAgent };
  },
});
