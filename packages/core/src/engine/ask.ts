import type { CallId, ModelRequest } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { Ask } from "../contract/runtime.js";
import { CoreError } from "../errors.js";
import type { Delta } from "../messages/delta.js";
import type { Reply } from "../messages/message.js";

/**
 * The maximum number of model calls around one that a plugin makes. It stops a layer that calls a
 * model again within each call.
 */
const deepest = 8;

/**
 * Creates the function for `run.ask`, for adapters that know a model.
 *
 * @param target the model to call, unless the plugin names another.
 * @param call makes one call through the `model` layers, as for the framework's calls.
 * @example
 * ```ts
 * run.ask = askThrough({ model: "gpt-5", provider: "openai" }, (request, parent) =>
 *   stack.call("model", run, request, core, parent),
 * );
 * ```
 */
export function askThrough(
  target: Pick<ModelRequest, "model" | "provider" | "server">,
  call: (request: ModelRequest, parent: CallId) => Promise<Outcome<Delta, Reply>>,
): Ask {
  return async (request, { parent, purpose, model = target.model, client }) => {
    checkDepth(parent);
    const other = client === undefined ? {} : { client };
    const outcome = await call({ tools: [], ...request, ...target, model, ...other, purpose, stream: false }, parent);
    return outcome.final();
  };
}

/** @throws CoreError `ERR_ASK_NESTED` */
function checkDepth(parent: CallId): void {
  let depth = 0;
  for (let at: CallId | undefined = parent; at !== undefined; at = at.parent) if (at.kind === "model") depth++;
  if (depth <= deepest) return;
  throw new CoreError(
    "ERR_ASK_NESTED",
    `runtime.ask() was called in ${depth} nested model calls. A plugin that asks in its \`model\` hook must ignore requests that have a \`purpose\`.`,
  );
}
