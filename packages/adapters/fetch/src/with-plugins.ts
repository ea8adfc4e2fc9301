import type { Plugin } from "@suite/core";
import type { AcceptedPlugins, WithPluginsOptions } from "@suite/core/adapter";
import { defineAdapter, type PluginStack, type WithPlugins } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import { FetchError } from "./errors.js";
import { direct } from "./exchange/direct.js";
import { embedded } from "./exchange/embeddings.js";
import { exchanged } from "./exchange/exchange.js";
import { type Fetch, methodOf, type Opened, opened, urlOf } from "./exchange/target.js";
import { embeddingFormatAt, formatAt } from "./formats/formats.js";
import { isJson } from "./json.js";
import { checkOther, type OtherRequests } from "./other-requests.js";
import { warnOfSdkSpans } from "./own-telemetry.js";

/** The hooks that apply to a request to a model. */
export type ServedHooks = "model" | "systemPrompt" | "embedding" | "memory" | "observe";

/** A client of `openai` or `@anthropic-ai/sdk`, or one with the same interface. */
export interface Client {
  readonly baseURL: string;
  withOptions(options: { fetch?: Fetch }): object;
}

const adapter: WithPlugins<Client | Fetch, ServedHooks> = defineAdapter({
  name: "@suite/fetch",
  serves: ["model", "systemPrompt", "embedding", "memory", "observe"],
  checkTarget(target) {
    if (typeof target !== "function") fetchOf(target as Client);
  },
  attach(target: Client | Fetch, stack: PluginStack): Client | Fetch {
    if (typeof target === "function") return attached(target, stack);
    warnOfSdkSpans(target, stack.plugins);
    // A copy of a wrapped client has a wrapped fetch. The plugins are added to that one.
    const innerFetch = fetchOf(target);
    const fetch = adapter(innerFetch, stack.plugins, { run: stack.identify });
    others.set(fetch, others.get(innerFetch) ?? "tell");
    const copy = target.withOptions({ fetch, ...azureOptions(target) }) as Client;
    keepOptions(target, copy, fetch);
    return copy;
  },
});

/** The treatment of requests to unknown paths, by wrapped `fetch`. */
const others = new WeakMap<Fetch, OtherRequests>();

/** The options of a wrapped `fetch`. */
export interface FetchOptions extends WithPluginsOptions {
  /**
   * The treatment of a `POST` to a path of no known protocol, which no plugin can inspect. `"tell"` (default) passes it
   * and warns once per path, `"refuse"` rejects it, `"pass"` passes it without a warning.
   */
  readonly others?: OtherRequests;
}

/**
 * Returns a client of the same class that runs plugins around each request to a model: chat completions, responses and
 * messages, with or without streaming and through all helpers of the client, and embeddings. It does not change other
 * requests.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin requires a hook that does not apply to requests.
 * @throws FetchError `ERR_FETCH_NO_CLIENT` if the value is not such a client
 * @example
 * ```ts
 * const client = withPlugins(new OpenAI(), [tracing(), pii({ email: "redact" })]);
 * await client.chat.completions.create({ model, messages });
 * ```
 */
export const withPlugins: WithPlugins<Client, ServedHooks> = adapter;

/**
 * Creates a `fetch` that runs plugins around each request to a model, for clients that accept a custom one.
 *
 * @param fetch sends the requests. Default: the global `fetch`.
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 * @throws FetchError `ERR_FETCH_UNKNOWN_PATH` on a request to an unknown path, if `others` is `"refuse"`.
 * @example
 * ```ts
 * const client = new OpenAI({ fetch: fetchWithPlugins([tracing(), pii({ email: "redact" })]) });
 * ```
 */
export function fetchWithPlugins<const Ps extends readonly Plugin[]>(
  plugins: AcceptedPlugins<Ps, ServedHooks>,
  fetch: Fetch = (input, init) => globalThis.fetch(input, init),
  options: FetchOptions = {},
): Fetch {
  const wrapped = adapter(fetch, plugins, { run: options.run });
  if (wrapped !== fetch) others.set(wrapped, options.others ?? others.get(fetch) ?? "tell");
  return wrapped;
}

function attached(fetch: Fetch, stack: PluginStack): Fetch {
  const runs = new FrameworkRuns(stack);
  const layers = stack.has.model || stack.plugins.some(({ systemPrompt }) => systemPrompt !== undefined);
  const routed: Fetch = (input, init) => {
    const url = urlOf(input);
    if (url === undefined || methodOf(input, init) !== "POST") return fetch(input, init);
    const embeddings = stack.has.embedding ? embeddingFormatAt(url.pathname) : undefined;
    if (embeddings !== undefined) {
      return through(opened(input, init, url), (target) =>
        embedded(runs, { format: embeddings, target, body: target.body, fetch }),
      );
    }
    const format = formatAt(url.pathname);
    if (format === undefined) {
      if (layers) checkOther(url, others.get(wrapped) ?? "tell");
      return fetch(input, init);
    }
    if (!layers) return direct(runs, fetch, url, input, init);
    return through(opened(input, init, url), (target) => exchanged(runs, { format, target, body: target.body, fetch }));
  };
  // Not an async function: without layers, the extra promise is measurable in the cost of a call.
  const wrapped: Fetch = (input, init) => {
    try {
      return routed(input, init);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  // A client takes `Response` from the properties of a custom fetch, and the fetch of Bun has methods.
  Object.assign(wrapped, fetch);
  return wrapped;
}

/** Continues with a request, synchronously if it is not a promise. */
const through = (request: Opened | Promise<Opened>, goOn: (request: Opened) => Promise<Response>): Promise<Response> =>
  "then" in request ? request.then(goOn) : goOn(request);

/** Returns the options of an Azure client that `withOptions` does not copy. */
function azureOptions(client: object): object | undefined {
  const { apiVersion, deploymentName: deployment } = client as { apiVersion?: unknown; deploymentName?: unknown };
  return apiVersion === undefined ? undefined : { apiVersion, deployment };
}

/**
 * Copies the options that the original client was created with. `withOptions` adds defaults, but a client checks if the
 * user has set an option: Anthropic's client refuses a long response without streaming only if no timeout is set.
 */
function keepOptions(original: object, copy: object, fetch: Fetch): void {
  const { _options: originalOptions } = original as { _options?: unknown };
  const writable = copy as { _options?: unknown };
  if (isJson(originalOptions) && isJson(writable._options)) writable._options = { ...originalOptions, fetch };
}

/** Returns the `fetch` of a client, which its types declare as private. */
function fetchOf(client: Client): Fetch {
  const { fetch } = client as { fetch?: unknown };
  if (typeof fetch !== "function" || typeof client.withOptions !== "function") {
    throw new FetchError("ERR_FETCH_NO_CLIENT", "withPlugins takes a client of openai or @anthropic-ai/sdk.");
  }
  return fetch as Fetch;
}
