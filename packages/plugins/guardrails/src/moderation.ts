import {
  definePlugin,
  type Invocation,
  type Message,
  MiddlewareTermination,
  message,
  type Plugin,
  textOf,
} from "@suite/core";
import { type Check, callable, common, count, isObject, listOf, name as named, oneOf, time } from "@suite/core/options";
import { Gate, textIn } from "./moderation/gate.js";
import { byModel, type Moderate, verdictWithin } from "./moderation/judge.js";
import { checkOptions, type GuardOptions, invalid } from "./options.js";
import { goesOut } from "./repair.js";
import { blocked } from "./texts/guard.js";

/** The options of `moderation`. One of `moderate` and `model` is needed. */
export interface ModerationOptions extends GuardOptions {
  /** Gives the verdict on a text: a call of a service, a classifier. */
  readonly moderate?: Moderate;
  /** A model that is asked for the verdict by `runtime.ask`, by these rules; `model` is one of the run's client, by default the run's own. */
  readonly model?: { readonly rules: string; readonly model?: string };
  /** The places. Default: what users write (`input`) and what the model answers (`output`). */
  readonly places?: readonly ("input" | "output")[];
  /**
   * The number of characters of an answer that are moderated at once, with those before them. They are held back until
   * then. Default: 1000.
   */
  readonly every?: number;
  /** `end`, the default, puts the message in the place of what is not out yet. `error` fails the run with `ERR_GUARDRAILS_BLOCKED`. */
  readonly exitBehavior?: "end" | "error";
  readonly message?: string;
  /** The most milliseconds of one verdict. Default: 10,000. */
  readonly timeout?: number;
  /** The fail mode, where there is no verdict: `closed`, the default, takes the text for flagged. `open` lets it pass, and tells it. */
  readonly onFailure?: "closed" | "open";
}

const asModel: Check = (value) =>
  isObject(value) && named(value.rules) === undefined && (value.model === undefined || named(value.model) === undefined)
    ? undefined
    : "an object with rules, and the name of a model";

/**
 * Moderates what users write while the model answers already, and the answer while it streams: nothing of an answer goes out
 * before both have been judged, and a verdict stops it. What has been let through by earlier verdicts is out.
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
  /** Messages that were let through: they are never mutated, and each is moderated once. */
  const passed = new WeakSet<Message>();
  const failure = (place: string) => MiddlewareTermination.mark(blocked(name, place), "run");

  /** Whether a text may pass. Never rejects. */
  async function mayPass(text: string, place: "input" | "output", invocation: Invocation<"model">): Promise<boolean> {
    const { runtime, call, signal } = invocation;
    const told = { type: "guardrail", plugin: name, place, call, enforced } as const;
    try {
      const { flagged, categories = [] } = await verdictWithin(
        moderate as Moderate,
        { text, place, runtime, call },
        signal,
        timeout,
      );
      if (!flagged) return true;
      const findings = Object.fromEntries((categories.length > 0 ? categories : ["flagged"]).map((each) => [each, 1]));
      runtime.notify({ ...told, decision: "block", findings });
      return false;
    } catch {
      if (signal.aborted) return false; // nobody waits for it any more
      runtime.notify({ ...told, decision: onFailure === "open" ? "fail_open" : "fail_closed" });
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
      const isAsked = request.purpose === undefined && places.includes("input");
      const fresh = isAsked ? request.messages.filter((each) => each.role === "user" && !passed.has(each)) : [];
      const asked = fresh.map(textOf).join("\n\n");
      const input = asked === "" ? Promise.resolve(true) : mayPass(asked, "input", invocation);
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
        answered.catch(() => undefined); // it is given up
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

  /** Lets everything pass, and moderates it beside: the run's end waits for the verdicts, nobody else does. */
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
