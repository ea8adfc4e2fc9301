import type { Invocation } from "../contract/call.js";
import type { Plugin } from "../contract/plugin.js";
import type { Awaitable, CallNext } from "../contract/protocol.js";
import { codecOf } from "../engine/codec.js";
import { CoreError } from "../errors.js";
import type { Part, Reply } from "../messages/message.js";
import { type AfterOptions, afterChecks, type Change, checkCount, checkJump, replyOf } from "./jump.js";
import { pluginOf } from "./plugin.js";
import { roundHooks } from "./round.js";

type After<K extends "agent" | "reasoning"> = (reply: Reply, invocation: Invocation<K>) => Awaitable<Change | void>;

/**
 * Calls a function with the whole reply after each model call. Without options the reply streams through, and the
 * function only observes it. With `canChange` or `canJumpTo` the reply is held back until the function has returned. It
 * may then return another `reply` or jump: `model` calls the model again (with `messages` as new messages, if set),
 * `end` ends the run without running the reply's tool calls. An error of the function fails the call.
 *
 * @example
 * ```ts
 * afterModel((reply) => (textOf(reply.message) === "" ? { jumpTo: "model" } : undefined), { canJumpTo: ["model"] });
 * ```
 */
export function afterModel(hook: After<"reasoning">, options: AfterOptions = {}): Plugin {
  const hooks = roundHooks((invocation, callNext) => after("afterModel", hook, options, invocation, callNext));
  return pluginOf("afterModel", hook, options, hooks, afterChecks);
}

/**
 * Calls a function after the reply of an agent, otherwise like `afterModel`. A jump to `model` makes the agent begin
 * again.
 */
export function afterAgent(hook: After<"agent">, options: AfterOptions = {}): Plugin {
  const agent: Plugin["agent"] = (invocation, callNext) => after("afterAgent", hook, options, invocation, callNext);
  return pluginOf("afterAgent", hook, options, { agent }, afterChecks);
}

async function after<K extends "agent" | "reasoning">(
  name: string,
  hook: After<K>,
  options: AfterOptions,
  invocation: Invocation<K>,
  callNext: CallNext,
): Promise<void> {
  await callNext();
  if (options.canChange !== true && options.canJumpTo === undefined) return watch(name, hook, invocation);
  for (let jumps = 1; ; jumps++) {
    const outcome = (invocation as unknown as Invocation<"agent">).result;
    if (outcome === undefined) return;
    const reply = await outcome.final().catch(async (error: unknown) => {
      if ((await outcome.settled).status === "suspended") return undefined;
      throw error;
    });
    if (reply === undefined) return;
    const change = (await hook(reply, invocation)) ?? undefined;
    checkJump(name, change, options);
    if (change?.jumpTo !== "model") return answer(invocation, reply, change);
    checkCount(name, jumps);
    if (change.messages !== undefined) invocation.request = { ...invocation.request, messages: change.messages };
    await callNext();
  }
}

function answer<K extends "agent" | "reasoning">(
  invocation: Invocation<K>,
  reply: Reply,
  change: Change | undefined,
): void {
  const changed = change?.reply === undefined ? reply : replyOf(change);
  const value = change?.jumpTo === "end" ? withoutCalls(changed) : changed;
  if (value !== reply) invocation.respond({ value } as Parameters<typeof invocation.respond>[0]);
}

const isCall = (part: Part): boolean => part.type === "tool_call";
const withoutCalls = (reply: Reply): Reply =>
  reply.message.parts.some(isCall)
    ? {
        ...reply,
        finishReason: "stop",
        message: { ...reply.message, parts: reply.message.parts.filter((part) => !isCall(part)) },
      }
    : reply;

/** Streams the reply unchanged, and calls the hook with the assembled reply. */
function watch<K extends "agent" | "reasoning">(name: string, hook: After<K>, invocation: Invocation<K>): void {
  const recorder = codecOf("reasoning").recorder();
  (invocation as unknown as Invocation<"agent">).pipe({
    chunk(delta, emit) {
      recorder.add(delta);
      emit(delta);
    },
    async flush(_emit, suspended) {
      if (suspended) return;
      const change = await hook(recorder.final(), invocation);
      if (change === undefined || change === null) return;
      throw new CoreError(
        "ERR_NOT_DECLARED",
        `${name} returned a change after the reply was streamed. Declare it: ${name}(hook, { canChange: true }).`,
      );
    },
  });
}
