import type { AcceptedPlugins, Plugin, WithPluginsOptions } from "@suite/core";
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
import { warnOfOwnSpans } from "./own-telemetry.js";

/** The hooks that a request to a model has a place for. */
export type ServedHooks = "model" | "systemPrompt" | "embedding" | "memory" | "observe";

/** A client of `openai` or `@anthropic-ai/sdk`, or one made like them. */
export interface Client {
  readonly baseURL: string;
  withOptions(options: { fetch?: Fetch }): object;
}

const adapter: WithPlugins<Client | Fetch, ServedHooks> = defineAdapter({
  name: "@suite/fetch",
  serves: ["model", "systemPrompt", "embedding", "memory", "observe"],
  attach(target: Client | Fetch, stack: PluginStack): Client | Fetch {
    if (typeof target === "function") return attached(target, stack);
    warnOfOwnSpans(target, stack.plugins);
    // The fetch of a copy of a wrapped client is wrapped already: plugins join there.
    const own = fetchOf(target);
    const fetch = adapter(own, stack.plugins, { run: stack.identify });
    others.set(fetch, others.get(own) ?? "tell");
    const copy = target.withOptions({ fetch, ...azureOptions(target) }) as Client;
    keepOptions(target, copy, fetch);
    return copy;
  },
});

/** The treatment of requests to other paths, by wrapped `fetch`. */
const others = new WeakMap<Fetch, OtherRequests>();

/** The options of a wrapped `fetch`. */
export interface FetchOptions extends WithPluginsOptions {
  /**
   * The treatment of a `POST` to a path of no known protocol, which no plugin can look at: it passes and is told once per
   * path (`"tell"`, the default), is refused, or passes without a word.
   */
  readonly others?: OtherRequests;
}

/**
 * Gives a client of the same class back, with plugins round each of its requests to a model: chat completions, responses
 * and messages, plain or streamed, by whichever helper they are made, and embeddings. All other requests go as they are.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` where a plugin requires a hook that a request has no place for.
 * @throws FetchError `ERR_FETCH_NO_CLIENT`
 * @example
 * ```ts
 * const client = withPlugins(new OpenAI(), [tracing(), pii({ email: "redact" })]);
 * await client.chat.completions.create({ model, messages });
 * ```
 */
export const withPlugins: WithPlugins<Client, ServedHooks> = adapter;

/**
 * A `fetch` with plugins round each request to a model, for clients that take one.
 *
 * @param fetch what the requests are made with. Default: the runtime's.
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 * @throws FetchError `ERR_FETCH_UNKNOWN_PATH` of a request, where `others` is `"refuse"`.
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
  // No async function: where no plugin has a layer, what it would add is seen in a call's cost.
  const wrapped: Fetch = (input, init) => {
    try {
      return routed(input, init);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  // A client asks a fetch of somebody's own for its `Response`, and Bun's has functions.
  Object.assign(wrapped, fetch);
  return wrapped;
}

/** Goes on with a request, at once where it is there. */
const through = (asked: Opened | Promise<Opened>, goOn: (asked: Opened) => Promise<Response>): Promise<Response> =>
  "then" in asked ? asked.then(goOn) : goOn(asked);

/** The options of a client for Azure that it does not hand on to its copies. */
function azureOptions(client: object): object | undefined {
  const { apiVersion, deploymentName: deployment } = client as { apiVersion?: unknown; deploymentName?: unknown };
  return apiVersion === undefined ? undefined : { apiVersion, deployment };
}

/**
 * Gives a copy the options that its original was made with. `withOptions` writes defaults among them, and a client asks
 * whether its user has chosen any: Anthropic's refuses a long answer that does not stream only where nobody set a timeout.
 */
function keepOptions(original: object, copy: object, fetch: Fetch): void {
  const { _options: given } = original as { _options?: unknown };
  const made = copy as { _options?: unknown };
  if (isJson(given) && isJson(made._options)) made._options = { ...given, fetch };
}

/** The `fetch` of a client. Its types call that private. */
function fetchOf(client: Client): Fetch {
  const { fetch } = client as { fetch?: unknown };
  if (typeof fetch !== "function" || typeof client.withOptions !== "function") {
    throw new FetchError("ERR_FETCH_NO_CLIENT", "withPlugins takes a client of openai or @anthropic-ai/sdk.");
  }
  return fetch as Fetch;
}
