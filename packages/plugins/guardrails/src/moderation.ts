import {
  definePlugin,
  type Invocation,
  type Message,
  MiddlewareTermination,
  message,
  type Plugin,
  textOf,
} from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, callable, common, count, listOf, name as named, oneOf, time } from "@suite/kit/options";
import { Gate, textIn } from "./moderation/gate.js";
import { byModel, type Moderate, verdictWithin } from "./moderation/judge.js";
import { checkOptions, type GuardOptions, invalid } from "./options.js";
import { goesOut } from "./repair.js";
import { blocked } from "./texts/guard.js";

/** The options of `moderation`. Needs `moderate` or `model`. */
export interface ModerationOptions extends GuardOptions {
  /** Returns the verdict on a string, for example from a service or a classifier. */
  readonly moderate?: Moderate;
  /**
   * Asks a model for the verdict by `runtime.ask`, with these rules. `model` names a model of the run's client.
   * Default: the run's model.
   */
  readonly model?: { readonly rules: string; readonly model?: string };
  /** The places: user messages (`input`) and model answers (`output`). Default: both. */
  readonly places?: readonly ("input" | "output")[];
  /**
   * The number of new characters after which an answer is moderated, together with the earlier text. They are held back
   * until then. Default: 1000.
   */
  readonly every?: number;
  /**
   * `end` (default): the message replaces the part that was not emitted yet. `error`: the run fails with
   * `ERR_GUARDRAILS_BLOCKED`.
   */
  readonly exitBehavior?: "end" | "error";
  /** The message of a blocked call. */
  readonly message?: string;
  /** The time limit of one verdict in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /**
   * Behavior without a verdict. `closed` (default): the content counts as flagged. `open`: it passes, and this is
   * reported.
   */
  readonly onFailure?: "closed" | "open";
}

const asModel: Check = (value) =>
  isObject(value) && named(value.rules) === undefined && (value.model === undefined || named(value.model) === undefined)
    ? undefined
    : "an object with rules, and the name of a model";

/**
 * Moderates user messages in parallel to the model call, and the answer while it streams. Nothing of an answer is
 * emitted before both have been checked, and a verdict stops it. Content released by earlier verdicts cannot be taken
 * back.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * moderation({ moderate: async ({ text, signal }) => (await classify(text, { signal })).harmful });
 * ```
 */
export function moderation(options: ModerationOptions): Plugin {
  options = checkOptions("moderation", options, {
    ...common,
    moderate: callable,
    model: asModel,
    places: listOf(oneOf("input", "output")),
    every: count,
    exitBehavior: oneOf("end", "error"),
    message: named,
    timeout: time,
    onFailure: oneOf("closed", "open"),
  });
  const {
    name = "moderation",
    mode = "enforce",
    places = ["input", "output"],
    every = 1000,
    onFailure = "closed",
  } = options;
  const { exitBehavior = "end", message: refusal = "This was refused.", timeout = 10_000 } = options;
  const moderate = options.moderate ?? (options.model && byModel(options.model.rules, options.model.model));
  if (moderate === undefined) throw invalid("moderation() needs moderate, or a model.");
  const enforced = mode === "enforce";
  /** Messages that passed. Messages are immutable, so each is moderated once. */
  const passed = new WeakSet<Message>();
  const failure = (place: string) => MiddlewareTermination.mark(blocked(name, place), "run");

  /** Returns true if a string may pass. Never rejects. */
  async function mayPass(text: string, place: "input" | "output", invocation: Invocation<"model">): Promise<boolean> {
    const { runtime, call, signal } = invocation;
    const notification = { type: "guardrail", plugin: name, place, call, enforced } as const;
    try {
      const { flagged, categories = [] } = await verdictWithin(
        moderate as Moderate,
        { text, place, runtime, call },
        signal,
        timeout,
      );
      if (!flagged) return true;
      const findings = Object.fromEntries((categories.length > 0 ? categories : ["flagged"]).map((each) => [each, 1]));
      runtime.notify({ ...notification, decision: "block", findings });
      return false;
    } catch {
      if (signal.aborted) return false; // the result is not needed any more
      runtime.notify({ ...notification, decision: onFailure === "open" ? "fail_open" : "fail_closed" });
      return onFailure === "open";
    }
  }

  return definePlugin({
    name,
    inSubAgents: true,
    givesUp: true,
    settings: { mode, places, every, exitBehavior, onFailure },
    async model(invocation, callNext) {
      const { request } = invocation;
      if (!goesOut(request)) return callNext();
      const checksInput = request.purpose === undefined && places.includes("input");
      const fresh = checksInput ? request.messages.filter((each) => each.role === "user" && !passed.has(each)) : [];
      const inputText = fresh.map(textOf).join("\n\n");
      const input = inputText === "" ? Promise.resolve(true) : mayPass(inputText, "input", invocation);
      const seen = input.then((may) => {
        if (may) for (const each of fresh) passed.add(each);
        return may;
      });
      if (!enforced) {
        await callNext();
        return watch(invocation, seen);
      }
      const answering = callNext();
      const answered = answering.then((): "answered" => "answered");
      const judged = seen.then((may): "flagged" | Promise<"answered"> => (may ? answered : "flagged"));
      const first = await Promise.race([answered, judged]);
      if (first === "flagged") {
        answered.catch(() => undefined); // the call is cancelled
        const error = failure("the input");
        invocation.giveUp(error);
        if (exitBehavior === "error") throw error;
        return invocation.respond({
          value: { message: message("assistant", refusal), finishReason: "content_filter" },
        });
      }
      const gate = new Gate({
        input: seen,
        judge: places.includes("output") ? (text) => mayPass(text, "output", invocation) : undefined,
        every,
        stop(place, emit) {
          if (exitBehavior === "error") throw failure(place);
          emit({ type: "part", at: `${name}.refusal`, part: { type: "text", content: refusal } });
          emit({ type: "finish", finishReason: "content_filter" });
        },
      });
      invocation.pipe({
        chunk: (delta, emit) => gate.take(delta, emit),
        flush: (emit) => gate.end(emit),
      });
    },
  });

  /** Lets everything pass and moderates it in parallel. Only the end of the run waits for the verdicts. */
  function watch(invocation: Invocation<"model">, input: Promise<boolean>): void {
    let text = "";
    invocation.pipe({
      chunk(delta, emit) {
        text += textIn(delta);
        emit(delta);
      },
      async settle() {
        await input;
        if (places.includes("output") && text !== "") await mayPass(text, "output", invocation);
      },
    });
  }
}
