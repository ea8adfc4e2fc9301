import { defineAdapter } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import { attachToAgent, isAgent } from "./attach/agent.js";
import { type Ai, attachToModule } from "./attach/module.js";
import { workflowAgentIn } from "./attach/workflow.js";
import { AiSdkError } from "./errors.js";

/** The hooks that the AI SDK supports. */
export const serves = [
  "agent",
  "reasoning",
  "model",
  "tool",
  "humanInput",
  "embedding",
  "memory",
  "systemPrompt",
  "tools",
  "approval",
  "observe",
] as const;

/**
 * Adds plugins to the module `ai` or to a `ToolLoopAgent`. Returns the module with wrapped functions and classes, or
 * the wrapped agent. The first plugin is the outermost.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin requires `compressContext`, which the AI SDK does not support.
 * @throws AiSdkError `ERR_AI_SDK_TARGET` for any other target. A `WorkflowAgent` or `DurableAgent` is refused by name.
 * @example
 * ```ts
 * import * as ai from "ai";
 *
 * const { generateText, streamText, ToolLoopAgent } = withPlugins(ai, [tracing(), guard]);
 * ```
 */
export const withPlugins = defineAdapter<object, (typeof serves)[number]>({
  name: "@suite/ai-sdk",
  serves,
  checkTarget(target) {
    if (isAgent(target) || isModule(target)) return;
    const workflowAgent = workflowAgentIn(target);
    if (workflowAgent !== undefined) {
      throw new AiSdkError(
        "ERR_AI_SDK_TARGET",
        `withPlugins cannot take a ${workflowAgent}: workflow code is replayed from its log, so hooks would run again ` +
          "for calls that are done. Call generateText or a ToolLoopAgent with plugins in a step.",
      );
    }
    throw new AiSdkError(
      "ERR_AI_SDK_TARGET",
      'withPlugins takes the module, as in `import * as ai from "ai"`, or a ToolLoopAgent.',
    );
  },
  attach(target, stack) {
    const runs = new FrameworkRuns(stack);
    return isAgent(target) ? attachToAgent(target, runs) : attachToModule(target as Ai, runs);
  },
});

const isModule = (target: object): target is Ai => "generateText" in target && "streamText" in target;
