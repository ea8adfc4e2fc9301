import { definePlugin, type Message, override, type Plugin, stateKey } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, common, listOf } from "@suite/kit/options";
import { type CountOptions, counting, Sizes } from "./count.js";
import { historyStart } from "./newest.js";
import { type ContextOptions, checkOptions } from "./options.js";
import { textsOf } from "./state.js";

/** An edit of the messages sent to the model. */
export interface ContextEdit {
  readonly name: string;
  /** Returns the edited messages, or the same list if nothing changes. Must not mutate its input. */
  apply(messages: readonly Message[], help: EditHelp): Edited;
}

/** The data that an edit receives. */
export interface EditHelp {
  /** Tokens of the system prompt and the tools. */
  readonly fixed: number;
  /** Tokens of a message. */
  sizeOf(message: Message): number;
  /** Ids that the edit saves for the run, also across a suspension. */
  readonly kept: Set<string>;
}

/** The result of an edit. */
export interface Edited {
  readonly messages: readonly Message[];
  /** The decision, if this call made one. Absent if the edit repeats an earlier decision. */
  readonly decision?: string;
  readonly details?: Readonly<Record<string, number>>;
}

/** The options of `contextEditing`. */
export interface ContextEditingOptions extends ContextOptions, CountOptions {
  /** The edits, applied in order. */
  readonly edits: readonly ContextEdit[];
}

const edit: Check = (value) =>
  isObject(value) && typeof value.apply === "function" ? undefined : "an edit, such as clearToolUses()";

/**
 * Edits the messages sent to the model. The run's history is not changed. An edit stays in effect for the run, so that
 * the beginning of its requests, which providers cache, changes as rarely as possible.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`; in a run `ERR_CONTEXT_COUNT`
 * @example
 * ```ts
 * contextEditing({ edits: [clearToolUses({ trigger: 80_000, keep: 5, clearAtLeast: 10_000 })] });
 * ```
 */
export function contextEditing(options: ContextEditingOptions): Plugin {
  options = checkOptions("contextEditing", options, { ...common, ...counting, edits: listOf(edit) }, ["edits"]);
  const { edits, mode = "enforce", name = "context-editing" } = options;
  const enforced = mode === "enforce";
  const sizes = Sizes.ofTokens(options);
  const keptKey = stateKey<readonly Set<string>[]>(`${name}.kept`, () => edits.map(() => new Set<string>()), {
    save: (kept) => kept.map((each) => [...each]),
    load: (stored) => edits.map((_, index) => new Set(textsOf(Array.isArray(stored) ? stored[index] : []))),
  });
  return definePlugin({
    name,
    single: true,
    settings: { edits: edits.map((each) => each.name), mode },
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose !== undefined) return callNext();
      const first = historyStart(request.messages);
      const system = request.messages.slice(0, first);
      const fixed = sizes.messages(system) + sizes.tools(request.tools);
      const original = request.messages.slice(first);
      let messages: readonly Message[] = original;
      const kept = runtime.get(keptKey);
      for (const [index, each] of edits.entries()) {
        const help = { fixed, sizeOf: (message: Message) => sizes.message(message), kept: kept[index] ?? new Set() };
        const edited = each.apply(messages, help);
        messages = edited.messages;
        if (edited.decision === undefined) continue;
        const { decision, details = {} } = edited;
        runtime.notify({ type: "decision", plugin: name, decision, enforced, call, place: each.name, details });
      }
      if (enforced && messages !== original) {
        invocation.request = override(request, { messages: [...system, ...messages] });
      }
      await callNext();
    },
  });
}
