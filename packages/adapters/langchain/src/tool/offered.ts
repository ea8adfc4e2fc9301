import { type DynamicStructuredTool, tool as makeTool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import type { Awaitable, CallId, RuntimeContext, Tool } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { nameTool } from "./neutral.js";

/** The tools of plugins, collected once per run. */
const ofRuns = new WeakMap<RuntimeContext, Promise<readonly Tool[]>>();

const noTools: readonly Tool[] = [];

/** Returns the tools that plugins add to this run. */
export function offeredTools(stack: PluginStack, runtime: RuntimeContext): Awaitable<readonly Tool[]> {
  if (!stack.plugins.some(({ tools }) => tools !== undefined)) return noTools;
  let offered = ofRuns.get(runtime);
  if (offered === undefined) {
    offered = stack.tools(runtime);
    ofRuns.set(runtime, offered);
  }
  return offered;
}

/**
 * Converts a plugin's tool to a LangChain tool. One that runs elsewhere interrupts, as LangChain's tools without a
 * function do.
 */
export function langchainTool(tool: Tool, runtime: RuntimeContext, call?: CallId): DynamicStructuredTool {
  const { name, description = name, parameters = { type: "object", properties: {} } } = tool;
  const created = makeTool(
    async (args: unknown, config: { readonly toolCall?: { readonly id?: string } }) => {
      if (tool.execute === undefined || call === undefined) {
        return interrupt({ type: "tool", toolCall: { id: config.toolCall?.id, name, args } });
      }
      return tool.execute(args, runtime, call);
    },
    { name, description, schema: parameters as { readonly type: "object" } },
  );
  nameTool(created, tool);
  return created as unknown as DynamicStructuredTool;
}
