import { type ModelRequest, message, type RuntimeContext, textOf } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { leadingSystem } from "./request.js";

/**
 * The request with the system prompt as the plugins make it: the leading system messages as one, where they change it. A
 * promise where a plugin makes one.
 */
export function withSystemPrompt(
  stack: PluginStack,
  request: ModelRequest,
  runtime: RuntimeContext,
): ModelRequest | Promise<ModelRequest> {
  const makes = stack.plugins.some((plugin) => plugin.systemPrompt !== undefined);
  return makes ? prompted(stack, request, runtime) : request;
}

async function prompted(stack: PluginStack, request: ModelRequest, runtime: RuntimeContext): Promise<ModelRequest> {
  const head = leadingSystem(request.messages);
  const prompt = head.map(textOf).join("\n\n");
  const made = await stack.systemPrompt(prompt, runtime);
  if (made === prompt) return request;
  const rest = request.messages.slice(head.length);
  return { ...request, messages: made === "" ? rest : [message("system", made), ...rest] };
}
