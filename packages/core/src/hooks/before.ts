import type { Invocation } from "../contract/call.js";
import type { Plugin } from "../contract/plugin.js";
import type { Awaitable } from "../contract/protocol.js";
import { paired } from "../messages/paired.js";
import { type Change, checkJump, type HookOptions, jumpChecks, replyOf } from "./jump.js";
import { pluginOf } from "./plugin.js";
import { roundHooks } from "./round.js";

type Before<K extends "agent" | "reasoning"> = (invocation: Invocation<K>) => Awaitable<Change | void>;

/**
 * Calls a function once before an agent's reply. It may change the messages or jump: `end` answers at once with
 * `reply`, `tools` appends `reply`, which calls tools, to the messages.
 *
 * @example
 * ```ts
 * beforeAgent(({ runtime }) => (runtime.userId ? undefined : { jumpTo: "end", reply: signInFirst }), { canJumpTo: ["end"] });
 * ```
 */
export function beforeAgent(hook: Before<"agent">, options: HookOptions = {}): Plugin {
  const agent: Plugin["agent"] = async (invocation, callNext) => {
    const change = (await hook(invocation)) ?? undefined;
    checkJump("beforeAgent", change, options);
    if (change?.jumpTo === "end") return invocation.respond({ value: replyOf(change) });
    const messages = change?.messages ?? invocation.request.messages;
    const called = change?.jumpTo === "tools" ? [replyOf(change).message] : [];
    if (change !== undefined) invocation.request = { ...invocation.request, messages: [...messages, ...called] };
    await callNext();
  };
  return pluginOf("beforeAgent", hook, options, { agent }, jumpChecks);
}

/**
 * Calls a function before each model call, once per round. It may change the messages that the model sees in this round
 * (the history stays), or jump: `end` ends the run with `reply`, `tools` runs the tool calls of `reply` without calling
 * the model. If it removes calls, their results are removed too, and vice versa.
 * In frameworks without rounds, the function runs before the model call itself. The system prompt is kept either way.
 */
export function beforeModel(hook: Before<"reasoning">, options: HookOptions = {}): Plugin {
  const hooks = roundHooks(async (invocation, callNext) => {
    const change = (await hook(invocation)) ?? undefined;
    checkJump("beforeModel", change, options);
    if (change?.jumpTo === "end" || change?.jumpTo === "tools") return invocation.respond({ value: replyOf(change) });
    if (change?.messages !== undefined) {
      const { request } = invocation;
      invocation.request = { ...request, messages: paired(change.messages, request.messages) };
    }
    await callNext();
  });
  return pluginOf("beforeModel", hook, options, hooks, jumpChecks);
}
