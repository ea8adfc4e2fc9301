import { RunnableBinding } from "@langchain/core/runnables";
import { defineAdapter, type PluginStack, type WithPlugins } from "@suite/core/adapter";
import type { createAgent } from "langchain";
import { callingMiddlewares } from "./calling-middlewares.js";
import { type Embeddings, embeddingsThrough, isEmbeddings } from "./documents/embeddings.js";
import { isRetriever, type Retriever, retrieverThrough } from "./documents/retriever.js";
import { refuseUseless } from "./documents/useless.js";
import { LangChainAdapterError } from "./errors.js";
import { modelHooks } from "./hooks.js";
import { creatorOf } from "./run/create.js";
import { sharedRuns } from "./shared-runs.js";
import { standingFor } from "./standing-for.js";

/** The LangChain module: `import * as langchain from "langchain"`. */
export interface LangChain {
  readonly createAgent: typeof createAgent;
}

/** The targets that plugins can be attached to. */
export type Target = LangChain | Embeddings | Retriever;

/** The hooks that LangChain serves. */
const serves = [
  "agent",
  "reasoning",
  "model",
  "tool",
  "humanInput",
  "embedding",
  "retrieval",
  "memory",
  "systemPrompt",
  "tools",
  "approval",
  "observe",
] as const;

/**
 * Returns LangChain with plugins. Every agent of its `createAgent` runs with them, including agents that are tools of
 * others. Its middlewares that call a model, for example for summaries, use them too. Everything else is unchanged.
 * With embeddings or a retriever, returns a copy with plugins. In a tool of an agent with the same plugins its calls
 * are in the agent's run.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`. For embeddings and retrievers, also if a plugin would do nothing there.
 * @throws LangChainAdapterError `ERR_LANGCHAIN_TARGET` for other targets.
 * @example
 * ```ts
 * import * as langchain from "langchain";
 * const { createAgent } = withPlugins(langchain, [tracing(), guard]);
 * const retriever = withPlugins(store.asRetriever(), [tracing(), guard]);
 * ```
 */
export const withPlugins: WithPlugins<Target, (typeof serves)[number]> = defineAdapter({
  name: "@suite/langchain",
  serves,
  checkTarget,
  attach(target: Target, stack): Target {
    if (isModule(target)) return moduleWith(target, stack);
    if (RunnableBinding.isRunnableBinding(target)) {
      return standingFor(target, {
        bound: withPlugins(target.bound as Retriever, stack.plugins, { run: stack.identify }),
      });
    }
    if (isRetriever(target)) {
      refuseUseless("retrieval", stack);
      return retrieverThrough(target, sharedRuns(stack));
    }
    refuseUseless("embedding", stack);
    return embeddingsThrough(target as Embeddings, sharedRuns(stack));
  },
});

/** @throws LangChainAdapterError `ERR_LANGCHAIN_TARGET` */
function checkTarget(target: object): void {
  const bound = RunnableBinding.isRunnableBinding(target);
  if (bound) checkTarget(target.bound);
  if (bound || isModule(target) || isRetriever(target) || isEmbeddings(target)) return;
  throw new LangChainAdapterError(
    "ERR_LANGCHAIN_TARGET",
    'withPlugins takes the module, as in `import * as langchain from "langchain"`, embeddings, or a retriever. Of a vector store, take `asRetriever()`.',
  );
}

const isModule = (target: object): target is LangChain => "createAgent" in target;

function moduleWith(langchain: LangChain, stack: PluginStack): LangChain {
  const runs = sharedRuns(stack);
  const createAgent = creatorOf(langchain.createAgent, runs);
  const calling = stack.hasAny(modelHooks) ? callingMiddlewares(langchain, runs) : {};
  return { ...langchain, ...calling, createAgent };
}
