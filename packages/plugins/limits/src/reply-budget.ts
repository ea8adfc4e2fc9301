import {
  type Delta,
  definePlugin,
  message,
  outermost,
  override,
  type Plugin,
  type Reply,
  type Stage,
  text,
  usageOf,
} from "@suite/core";
import { amount, common, count, name as named } from "@suite/kit/options";
import { checkOptions, type LimitOptions } from "./options.js";

/** The options of `replyBudget`. */
export interface ReplyBudgetOptions extends LimitOptions {
  /** The cost, in weighted tokens, at which a reply must end. */
  readonly tokenBudget: number;
  /** The cost of one input token. Default: 1. */
  readonly inputTokenWeight?: number;
  /** The cost of one output token. Default: 1. */
  readonly outputTokenWeight?: number;
  /** The message that asks the model to finish. It is added to the request only, not to the history. */
  readonly hintMessage?: string;
}

const defaultHint =
  "<system-reminder>The token budget of this reply is used up. Answer now with what you have, in your final words, and call no tools.</system-reminder>";
/** The text of an answer that contained only tool calls. */
const emptyReplyText = "The token budget of this reply is used up.";

/**
 * Ends a reply when its weighted tokens reach a budget: the next model call contains a hint and must not call tools.
 * All model usage of the reply counts: rounds, sub-agents, compression, `runtime.ask`, and usage before a suspension.
 * The plugin holds no state. One instance may serve many agents, and two instances count independently.
 *
 * Requires a framework whose adapter counts the usage of a run (`usageOf`). If the model calls tools anyway, the calls
 * are removed from its answer, which ends the run.
 *
 * @throws {LimitsError} `ERR_LIMITS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [replyBudget({ tokenBudget: 50_000, outputTokenWeight: 4 })], … });
 * ```
 */
export function replyBudget(options: ReplyBudgetOptions): Plugin {
  options = checkOptions(
    "replyBudget",
    options,
    {
      ...common,
      tokenBudget: count,
      inputTokenWeight: amount,
      outputTokenWeight: amount,
      hintMessage: named,
    },
    ["tokenBudget"],
  );
  const { tokenBudget, inputTokenWeight = 1, outputTokenWeight = 1, hintMessage = defaultHint } = options;
  const { mode = "enforce", name = `reply-budget ${tokenBudget}` } = options;
  const enforced = mode === "enforce";

  return definePlugin({
    name,
    single: true,
    inSubAgents: true,
    async model(invocation, callNext) {
      const { runtime, request, call } = invocation;
      // A model call made by a plugin needs its answer. It counts, and the next round ends the reply.
      if (request.purpose !== undefined) return callNext();
      const { inputTokens = 0, outputTokens = 0 } = usageOf(outermost(runtime)) ?? {};
      const cost = inputTokens * inputTokenWeight + outputTokens * outputTokenWeight;
      if (cost < tokenBudget) return callNext();
      runtime.notify({
        type: "limit",
        plugin: name,
        limit: "reply_tokens",
        maximum: tokenBudget,
        enforced,
        call,
        details: { cost },
      });
      if (!enforced) return callNext();
      invocation.request = override(request, {
        messages: [...request.messages, message("user", hintMessage)],
        // Providers reject `toolChoice` if the request has no tools.
        ...(request.tools.length > 0 && { toolChoice: "none" }),
      });
      await callNext();
      invocation.pipe(withoutToolCalls());
    },
  });
}

/** Removes tool calls from an answer, so that it is the last of its run. */
function withoutToolCalls(): Stage<Delta, Reply> {
  const dropped = new Set<string>();
  let hasText = false;
  return {
    chunk(delta, emit) {
      if (delta.type === "part" && delta.part.type === "tool_call") return void dropped.add(delta.at);
      if ((delta.type === "arguments" || delta.type === "part_end") && dropped.has(delta.at)) return;
      if (delta.type === "part" && delta.part.type === "text" && delta.part.content !== "") hasText = true;
      if (delta.type !== "finish" || dropped.size === 0) return emit(delta);
      if (!hasText) emit({ type: "part", at: "reply-budget", part: text(emptyReplyText) });
      hasText = true;
      emit(delta.finishReason === "tool_call" ? { ...delta, finishReason: "stop" } : delta);
    },
    flush(emit) {
      if (dropped.size > 0 && !hasText) emit({ type: "part", at: "reply-budget", part: text(emptyReplyText) });
    },
  };
}
