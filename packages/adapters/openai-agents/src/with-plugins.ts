import type * as agents from "@openai/agents";
import { defineAdapter } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";
import { OpenAIAgentsError } from "./errors.js";
import { reachStates } from "./run/suspension.js";
import { type AgentsModule, isModule, isRunner, wrapModule, wrapRunner } from "./target.js";
import { warnOfUntested } from "./tested.js";

/**
 * Returns a copy of the SDK, or of one of its runners, with plugins. All model calls, tool calls and handoffs of its
 * runs use them, including agents that are tools of others. Everything else is unchanged.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 * @throws OpenAIAgentsError `ERR_OPENAI_AGENTS_TARGET`, `ERR_OPENAI_AGENTS_RUNTIME`
 * @example
 * ```ts
 * import * as agents from "@openai/agents";
 * const { run, tool } = withPlugins(agents, [tracing(), pii({ email: "redact" })]);
 * const { finalOutput } = await run(new agents.Agent({ name: "desk", instructions }), "Where is my order?");
 * ```
 */
export const withPlugins = defineAdapter<
  AgentsModule | agents.Runner,
  "agent" | "reasoning" | "model" | "tool" | "memory" | "systemPrompt" | "tools" | "approval" | "observe"
>({
  name: "@suite/openai-agents",
  serves: ["agent", "reasoning", "model", "tool", "memory", "systemPrompt", "tools", "approval", "observe"],
  checkTarget(target) {
    if (isModule(target) || isRunner(target)) return;
    throw new OpenAIAgentsError(
      "ERR_OPENAI_AGENTS_TARGET",
      'withPlugins takes the module, as in `import * as agents from "@openai/agents"`, or a Runner.',
    );
  },
  attach(target, stack) {
    if (ambientStorage() === undefined) {
      throw new OpenAIAgentsError(
        "ERR_OPENAI_AGENTS_RUNTIME",
        "This runtime has no AsyncLocalStorage, which is required to link tool calls to runs.",
      );
    }
    warnOfUntested();
    reachStates();
    return isModule(target) ? wrapModule(target, stack) : wrapRunner(target, stack);
  },
});
