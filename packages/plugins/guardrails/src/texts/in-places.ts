import { definePlugin, type Message, MiddlewareTermination, message, type Plugin } from "@suite/core";
import { listOf, name as named, oneOf } from "@suite/kit/options";
import type { GuardOptions } from "../options.js";
import { goesOut } from "../repair.js";
import { CompleteAnswer } from "../stream/whole-answer.js";
import { blocked, type GuardAction, type Judged, TextGuard } from "./guard.js";

/** The places whose text is checked. */
export type TextPlace = "input" | "output" | "tool_arguments" | "tool_result";

/** The options of guards that check text in selected places. */
export interface PlacedOptions extends GuardOptions {
  /** The action: `block`, the default; `redact`, if the text can be repaired; or `flag`. */
  readonly action?: GuardAction;
  /** The places. Default: messages of users (`input`) and answers of the model (`output`). */
  readonly places?: readonly TextPlace[];
  /**
   * The effect of a block in a request or an answer: `end`, the default, replaces the content by a message; `error`
   * fails the run.
   */
  readonly exitBehavior?: "end" | "error";
  /** The message that replaces blocked content. */
  readonly message?: string;
}

const every: readonly TextPlace[] = ["input", "output", "tool_arguments", "tool_result"];

/** The checks of those options. */
export const placedChecks = {
  places: listOf(oneOf(...every)),
  exitBehavior: oneOf("end", "error"),
  message: named,
};

/**
 * Creates a plugin that checks text in some places. An answer is held back until it is checked completely, so that no
 * part of a blocked answer is emitted.
 */
export function textGuardPlugin(
  of: string,
  options: PlacedOptions,
  judge: (text: string) => Judged | undefined,
): Plugin {
  const { name = of, mode = "enforce", action = "block", places = ["input", "output"], exitBehavior = "end" } = options;
  const { message: refusal = "This was refused." } = options;
  const enforced = mode === "enforce";
  const guard = new TextGuard({ name, action, enforced, onFailure: "closed", judge });
  const looks = (place: TextPlace): boolean => places.includes(place);
  const fail = (place: string) => MiddlewareTermination.mark(blocked(name, place), "run");

  /** Returns the users' messages that may go to the model, or `undefined` if they are blocked. */
  function input(messages: readonly Message[], at: Parameters<TextGuard["look"]>[1]): readonly Message[] | undefined {
    const texts = messages.map(({ role, parts }) =>
      role === "user"
        ? parts.map((part) => (part.type === "text" ? part.content : part.type === "native" ? part.value : null))
        : [],
    );
    const passed = guard.look(texts, at);
    if (passed.blocked) return undefined;
    if (passed.value === texts) return messages;
    const rewritten = passed.value as readonly (readonly unknown[])[];
    return messages.map((message, index) => {
      if (rewritten[index] === texts[index]) return message;
      const { native: _, ...rest } = message; // the native message still contains the removed content
      const parts = message.parts.map((part, at) => {
        const value = rewritten[index]?.[at];
        if (Object.is(value, texts[index]?.[at])) return part;
        return part.type === "text"
          ? ({ type: "text", content: String(value) } as const)
          : ({ type: "native", value } as const);
      });
      return { ...rest, parts };
    });
  }

  const hooks: Pick<Plugin, "model" | "tool"> = {
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (!goesOut(request)) return callNext();
      if (looks("input") && request.purpose === undefined) {
        const messages = input(request.messages, { place: "input", runtime, call });
        if (messages === undefined) {
          if (exitBehavior === "error") throw fail("the input");
          return invocation.respond({
            value: { message: message("assistant", refusal), finishReason: "content_filter" },
          });
        }
        if (messages !== request.messages) invocation.request = { ...request, messages };
      }
      await callNext();
      if (!looks("output")) return;
      const answer = new CompleteAnswer();
      invocation.pipe({
        chunk: (delta, emit) => {
          if (!enforced || action === "flag") emit(delta);
          answer.add(delta);
        },
        flush(emit) {
          const { texts } = answer;
          const passed = answer.overflown
            ? ({ blocked: true } as const)
            : guard.look(texts, { place: "output", runtime, call });
          if (!enforced || action === "flag") return;
          if (!passed.blocked && passed.value === texts) return answer.release(emit);
          if (!passed.blocked) return answer.rewrite(passed.value as readonly string[], emit);
          if (exitBehavior === "error") throw fail("the output");
          answer.replace(refusal, emit);
        },
      });
    },
    async tool(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const details = { tool: request.tool.name };
      if (looks("tool_arguments")) {
        const passed = guard.look(request.input, { place: "tool_arguments", runtime, call, details });
        if (passed.blocked) return invocation.respond({ value: refusal, isError: true });
        if (passed.value !== request.input) invocation.request = { ...request, input: passed.value };
      }
      await callNext();
      if (!looks("tool_result")) return;
      invocation.pipe({
        chunk(chunk, emit) {
          const passed = guard.look(chunk, { place: "tool_result", runtime, call, details });
          emit(passed.blocked ? refusal : passed.value);
        },
      });
    },
  };
  return definePlugin({
    name,
    inSubAgents: true,
    settings: { mode, action, places, exitBehavior },
    ...((looks("input") || looks("output")) && { model: hooks.model }),
    ...((looks("tool_arguments") || looks("tool_result")) && { tool: hooks.tool }),
  } as Plugin);
}
