import { definePlugin, type ModelRequest, override, type Plugin, stateKey } from "@suite/core";
import type { CacheMark } from "@suite/core/contract";
import { common, oneOf } from "@suite/kit/options";
import { historyStart } from "./newest.js";
import { type ContextOptions, checkOptions } from "./options.js";
import { Prints } from "./prints.js";

/** The options of `promptCache`. */
export interface PromptCacheOptions extends ContextOptions {
  /** The time that the provider keeps a prefix after its last use. Default: the provider's default, `5m`. */
  readonly ttl?: "5m" | "1h";
}

/** The prefix of the run's last request. */
interface Prefix {
  readonly tools: string;
  readonly system: string;
  /** The fingerprints of the messages up to the mark. */
  readonly messages: readonly string[];
  /** The number of messages at the end of requests that the next request does not contain, such as reminders. */
  readonly passing: number;
}

/** The place of a change in a prefix: the part of the request, and the index of the first different message. */
interface Moved {
  readonly place: "tools" | "system_prompt" | "messages";
  readonly at: number;
}

/** The maximum number of temporary messages at the end of a request. */
const mostPassing = 3;

/**
 * Sets cache marks in requests to Anthropic models, where the next request will have the same prefix: after the system
 * prompt (and the tools before it), and after the newest message that stays. If a marked prefix has changed, so that
 * the provider must read it again, a `decision` reports the cause, for any provider. Place it innermost, where requests
 * are final.
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
  // Not durable: when a suspended run resumes, the provider's cache has expired.
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

/** Returns true for Anthropic models, which accept marks. */
const marks = ({ provider = "", model }: ModelRequest): boolean => /anthropic/i.test(provider) || /claude/i.test(model);

function movedFrom(before: Prefix, tools: string, system: string, messages: readonly string[]): Moved | undefined {
  if (tools !== before.tools) return { place: "tools", at: 0 };
  if (system !== before.system) return { place: "system_prompt", at: 0 };
  const at = before.messages.findIndex((print, index) => print !== messages[index]);
  return at < 0 ? undefined : { place: "messages", at };
}

/** Returns the number of temporary messages, inferred when only the end of a prefix has changed. */
function passingIn(before: Prefix | undefined, moved: Moved | undefined): number {
  if (before === undefined) return 0;
  const removed = moved?.place === "messages" ? before.messages.length - moved.at : 0;
  return removed > mostPassing ? before.passing : Math.max(before.passing, removed);
}
