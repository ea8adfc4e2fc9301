import { type CacheMark, definePlugin, type ModelRequest, override, type Plugin, stateKey } from "@suite/core";
import { common, oneOf } from "@suite/core/options";
import { historyStart } from "./newest.js";
import { type ContextOptions, checkOptions } from "./options.js";
import { Prints } from "./prints.js";

/** The options of `promptCache`. */
export interface PromptCacheOptions extends ContextOptions {
  /** The time for which the provider keeps a prefix after it was last used. Default: that of the provider, `5m`. */
  readonly ttl?: "5m" | "1h";
}

/** The prefix of a run's requests, as the last of them had it. */
interface Prefix {
  readonly tools: string;
  readonly system: string;
  /** The messages up to the mark, by their prints. */
  readonly messages: readonly string[];
  /** Messages at the end of requests that the next request does not have: reminders. */
  readonly passing: number;
}

/** The place where a prefix has moved: the part of the request, and the first message that is another. */
interface Moved {
  readonly place: "tools" | "system_prompt" | "messages";
  readonly at: number;
}

/** Messages that come and go at the end of a request: more are no reminders. */
const mostPassing = 3;

/**
 * Marks where a request to Anthropic's models has a prefix that the next one will have too: after the system prompt (and the
 * tools before it), and after the newest message that stays. Where a prefix that was marked has moved, so that the provider
 * reads it anew, a `decision` tells what moved it: for any provider. Belongs innermost, where requests are what they will be.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`
 * @example
 * ```ts
 * createAgent({ model: anthropic("claude-sonnet-5"), plugins: [clearing, promptCache({ ttl: "1h" })], … });
 * ```
 */
export function promptCache(options: PromptCacheOptions = {}): Plugin {
  options = checkOptions("promptCache", options, { ...common, ttl: oneOf("5m", "1h") });
  const { ttl, mode = "enforce", name = "prompt-cache" } = options;
  const enforced = mode === "enforce";
  const prints = new Prints();
  // Not durable: a provider's cache has forgotten when a run goes on that has waited.
  const prefixKey = stateKey<Prefix | undefined>(`${name}.prefix`, () => undefined);

  return definePlugin({
    name,
    single: true,
    settings: { ttl: ttl ?? "5m", mode },
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose !== undefined) return callNext();
      const first = historyStart(request.messages);
      const history = request.messages.slice(first);
      const before = runtime.get(prefixKey);
      const tools = prints.ofTools(request.tools);
      const system = prints.ofMessages(request.messages.slice(0, first)).join();
      const messages = prints.ofMessages(history);
      const moved = before && movedFrom(before, tools, system, messages);
      if (moved !== undefined && before !== undefined) {
        const { place, at } = moved;
        const details = { at, of: before.messages.length };
        runtime.notify({ type: "decision", plugin: name, decision: "prefix_moved", enforced, call, place, details });
      }
      const passing = passingIn(before, moved);
      const marked = history.findLastIndex(({ role }, at) => at < history.length - passing && role !== "assistant");
      runtime.set(prefixKey, { tools, system, messages: messages.slice(0, marked + 1), passing });
      if (enforced && marks(request)) {
        const last = (before?.messages.length ?? 0) - 1;
        const at = new Set([
          request.messages[first - 1],
          moved === undefined ? history[last] : undefined,
          history[marked],
        ]);
        const cacheMarks = [...at].flatMap((message): CacheMark[] =>
          message === undefined ? [] : [{ after: message, ...(ttl !== undefined && { ttl }) }],
        );
        invocation.request = override(request, { cacheMarks });
      }
      await callNext();
    },
  });
}

/** Whether the model is one of Anthropic's, which take marks. */
const marks = ({ provider = "", model }: ModelRequest): boolean => /anthropic/i.test(provider) || /claude/i.test(model);

function movedFrom(before: Prefix, tools: string, system: string, messages: readonly string[]): Moved | undefined {
  if (tools !== before.tools) return { place: "tools", at: 0 };
  if (system !== before.system) return { place: "system_prompt", at: 0 };
  const at = before.messages.findIndex((print, index) => print !== messages[index]);
  return at < 0 ? undefined : { place: "messages", at };
}

/** The number of passing messages, learnt where only the end of a prefix has moved. */
function passingIn(before: Prefix | undefined, moved: Moved | undefined): number {
  if (before === undefined) return 0;
  const gone = moved?.place === "messages" ? before.messages.length - moved.at : 0;
  return gone > mostPassing ? before.passing : Math.max(before.passing, gone);
}
