import type { ModelRequest } from "@suite/core";
import { askThrough, type Run } from "@suite/core/adapter";
import type { Ask } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import type { Json } from "../json.js";
import { viewOf } from "../neutral/request.js";
import { Attempt } from "./attempt.js";
import { Connection } from "./connection.js";
import type { Exchange } from "./target.js";
import { addressOf } from "./target.js";

/**
 * Fields that concern the conversation, the tools or the transport of one request. Requests of plugins do not copy
 * them.
 */
const PER_CALL_FIELDS: ReadonlySet<string> = new Set([
  "background",
  "conversation",
  "n",
  "parallel_tool_calls",
  "previous_response_id",
  "prompt",
  "stream",
  "stream_options",
]);

/**
 * Creates the function that plugins use to call the model of the exchange. It uses the same server, headers and
 * settings, and the answer does not stream. The settings pass through the layers like those of any request.
 *
 * @param requestBody the body of the client's request
 */
export function askFor(
  runs: FrameworkRuns,
  run: Run,
  { format, target, fetch }: Exchange,
  requestBody: Json,
  { model, provider, server }: ModelRequest,
): Ask {
  const { route } = format;
  return askThrough({ model, ...(provider && { provider }), ...(server && { server }) }, (request, parent) => {
    const body = Object.fromEntries(Object.entries(requestBody).filter(([field]) => !PER_CALL_FIELDS.has(field)));
    const routed = { model: route?.model(target.url), stream: false };
    const view = viewOf(format.request, body, addressOf(target.url, format.provider), routed);
    const settings = { ...view.request.settings, ...request.settings };
    return runs.stack.call(
      "model",
      run,
      { ...request, settings },
      async (invocation) => {
        const headers = new Headers(target.headers);
        // The key belongs to the client's request. With it the server would return the answer to that request.
        headers.delete("idempotency-key");
        const url = route?.to(route.withoutStreaming(target.url), invocation.request.model) ?? target.url;
        const sent = JSON.stringify(view.write(invocation.request));
        const response = await new Connection(fetch).send({ ...target, url, headers }, sent, invocation, run.signal);
        await new Attempt(response, false).respond(invocation, format);
      },
      parent,
    );
  });
}
