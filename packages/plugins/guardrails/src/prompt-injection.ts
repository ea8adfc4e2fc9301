import { definePlugin, type Message, MiddlewareTermination, message, type Part, type Plugin } from "@suite/core";
import { name as named, oneOf } from "@suite/kit/options";
import { type InjectionOptions, injectionChecks, judgeOf } from "./injection/options.js";
import { checkOptions } from "./options.js";
import { type At, blocked, TextGuard } from "./texts/guard.js";

/** The options of `promptInjection`. */
export interface PromptInjectionOptions extends InjectionOptions {
  /**
   * The end of a blocked request. `end` (default): the run ends with a message. `error`: it fails with
   * `ERR_GUARDRAILS_BLOCKED`.
   */
  readonly exitBehavior?: "end" | "error";
  /** The last message of the run. */
  readonly message?: string;
}

/**
 * Checks all user messages, including older ones, before the model is asked. Uses the same detection as `toolResults`.
 * Each message is checked once.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * promptInjection({ threshold: 0.7, message: "I cannot help with that." });
 * ```
 */
export function promptInjection(options: PromptInjectionOptions = {}): Plugin {
  options = checkOptions("promptInjection", options, {
    ...injectionChecks,
    exitBehavior: oneOf("end", "error"),
    message: named,
  });
  const { name = "promptInjection", mode = "enforce", action = "block", onFailure = "closed" } = options;
  const { exitBehavior = "end", threshold = 0.5, message: answer = "This request was refused." } = options;
  const enforced = mode === "enforce";
  const guard = new TextGuard({ name, action, enforced, onFailure, judge: judgeOf(options) });
  /**
   * Messages without findings. Messages are immutable, and the cache is shared by all runs. Messages with findings are
   * checked again, so that each action is reported.
   */
  const harmless = new WeakSet<Message>();

  /** Returns the message that may be sent to the model, or `undefined` if it is blocked. */
  function look(userMessage: Message, at: At): Message | undefined {
    if (userMessage.role !== "user" || harmless.has(userMessage)) return userMessage;
    const parts: Part[] = [];
    for (const part of userMessage.parts) {
      const read = part.type === "text" ? part.content : part.type === "native" ? part.value : undefined;
      const passed = guard.look(read, at);
      if (passed.blocked) return undefined;
      if (Object.is(passed.value, read)) parts.push(part);
      else
        parts.push(
          part.type === "text"
            ? { type: "text", content: passed.value as string }
            : { type: "native", value: passed.value },
        );
    }
    if (parts.some((part, index) => part !== userMessage.parts[index])) {
      const { native: _, ...rest } = userMessage; // contains the removed content
      return { ...rest, parts };
    }
    if (enforced && action !== "flag") harmless.add(userMessage);
    return userMessage;
  }

  return definePlugin({
    name,
    inSubAgents: true,
    settings: { mode, action, onFailure, threshold, exitBehavior },
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose !== undefined) return callNext();
      const messages: Message[] = [];
      for (const requestMessage of request.messages) {
        const passed = look(requestMessage, { place: "input", runtime, call });
        if (passed === undefined) {
          if (exitBehavior === "error") throw MiddlewareTermination.mark(blocked(name, "the input"), "run");
          return invocation.respond({
            value: { message: message("assistant", answer), finishReason: "content_filter" },
          });
        }
        messages.push(passed);
      }
      if (messages.some((each, index) => each !== request.messages[index]))
        invocation.request = { ...request, messages };
      await callNext();
    },
  });
}
