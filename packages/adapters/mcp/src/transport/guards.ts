import type { PluginStack } from "@suite/core/adapter";
import { methodOf } from "../methods/index.js";
import type { Method, MethodKind } from "../methods/method.js";
import type { Params } from "../protocol.js";
import { versionOf } from "../protocol.js";

/** True if a plugin has a hook for this kind of call. The hook `systemPrompt` is one for model calls. */
const guards = ({ has, plugins }: PluginStack, kind: MethodKind): boolean =>
  has[kind] || (kind === "model" && plugins.some(({ systemPrompt }) => systemPrompt !== undefined));

/** True if a plugin looks at the messages of a connection. */
export const looksAt = (stack: PluginStack): boolean =>
  (["tool", "model", "humanInput"] as const).some((kind) => guards(stack, kind)) ||
  stack.plugins.some(({ redactor }) => redactor !== undefined);

/**
 * Returns the method of a request if its calls have layers. In the protocol of 2026-07-28 the questions to a person or a
 * model are in the results of other requests, so their layers need these requests.
 */
export function guardedMethod(stack: PluginStack, name: string, params: Params = {}): Method | undefined {
  const modern = versionOf(params) !== undefined;
  const method = methodOf(name, modern);
  if (method === undefined) return undefined;
  const kinds: readonly MethodKind[] = modern ? [method.kind, "humanInput", "model"] : [method.kind];
  return kinds.some((kind) => guards(stack, kind)) ? method : undefined;
}

/** Returns the method of a question in a result, if its calls have layers. A question is for a person or a model. */
export function guardedQuestion(stack: PluginStack, name: unknown): Method | undefined {
  if (name !== "elicitation/create" && name !== "sampling/createMessage") return undefined;
  return guardedMethod(stack, name);
}
