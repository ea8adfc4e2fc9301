import type { Message, Part } from "@suite/core";
import type { ToolCallResponsePart } from "@suite/core/messages";
import { amount, type Check, count, flag, listOf, name } from "@suite/kit/options";
import type { ContextEdit, Edited } from "./context-editing.js";
import { checkOptions } from "./options.js";

/** The options of `clearToolUses`. */
export interface ClearToolUsesOptions {
  /** The size of a request in tokens above which results are cleared. Default: 100 000. */
  readonly trigger?: number;
  /** The minimum number of tokens that clearing must save. If it saves less, nothing is cleared. Default: 0. */
  readonly clearAtLeast?: number;
  /** The number of newest results that stay. Results that the model has not received yet always stay. Default: 3. */
  readonly keep?: number;
  /** Clears the arguments of the calls too. Default: false. */
  readonly clearToolInputs?: boolean;
  /** The names of tools whose results stay. */
  readonly excludeTools?: readonly string[];
  /** The text that replaces a result. Default: `[cleared]`. */
  readonly placeholder?: string;
}

const nonNegative: Check = (value) => (value === 0 ? undefined : count(value) && "an integer of at least 0");

/** A result in a history: its message and part, the name of its tool, and a key that is unique in the history. */
interface Result {
  readonly key: string;
  readonly at: number;
  readonly part: ToolCallResponsePart;
  readonly tool: string | undefined;
}

/**
 * Clears the results of old tool calls when a request exceeds `trigger` tokens. Each result is replaced by the
 * `placeholder`. `clearAtLeast` is a precondition: changing the beginning of a request invalidates the provider's
 * cache, so it must be worth it.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`
 */
export function clearToolUses(options: ClearToolUsesOptions = {}): ContextEdit {
  options = checkOptions("clearToolUses", options, {
    trigger: count,
    clearAtLeast: amount,
    keep: nonNegative,
    clearToolInputs: flag,
    excludeTools: listOf(name),
    placeholder: name,
  });
  const { trigger = 100_000, clearAtLeast = 0, keep = 3, clearToolInputs = false, placeholder = "[cleared]" } = options;
  const excluded = new Set(options.excludeTools);
  const clearing = new Clearing(placeholder, clearToolInputs);

  return {
    name: "clear_tool_uses",
    apply(messages, help): Edited {
      const results = resultsOf(messages);
      const before = clearing.of(messages, results, help.kept);
      const size = before.reduce((sum, message) => sum + help.sizeOf(message), help.fixed);
      if (size <= trigger) return { messages: before };
      const seen = messages.findLastIndex(({ role }) => role === "assistant");
      const old = results
        .slice(0, results.length - keep)
        .filter(({ key, at, tool }) => at < seen && !help.kept.has(key) && !(tool !== undefined && excluded.has(tool)));
      const more = new Set([...help.kept, ...old.map(({ key }) => key)]);
      const after = old.length === 0 ? before : clearing.of(messages, results, more);
      const won = size - after.reduce((sum, message) => sum + help.sizeOf(message), help.fixed);
      // Results shorter than the placeholder are not worth a change.
      if (won <= 0 || won < clearAtLeast) {
        return { messages: before, decision: "not_cleared", details: { tokens: size, would_win: Math.max(0, won) } };
      }
      for (const { key } of old) help.kept.add(key);
      return { messages: after, decision: "cleared", details: { results: old.length, tokens: size, won } };
    },
  };
}

/** Returns the results of a history, in order. */
function resultsOf(messages: readonly Message[]): readonly Result[] {
  const results: Result[] = [];
  const tools = new Map<string, string>();
  const times = new Map<string, number>();
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type === "tool_call") tools.set(part.id, part.name);
      if (part.type !== "tool_call_response") continue;
      const time = times.get(part.id) ?? 0;
      times.set(part.id, time + 1);
      // Ids may repeat in histories that were created elsewhere.
      results.push({ key: time === 0 ? part.id : `${part.id} ${time}`, at, part, tool: tools.get(part.id) });
    }
  }
  return results;
}

/** Clears results of messages. Returns the same object for the same input in every request. */
class Clearing {
  readonly #known = new WeakMap<Message, Map<string, Message>>();

  constructor(
    readonly placeholder: string,
    readonly inputs: boolean,
  ) {}

  of(messages: readonly Message[], results: readonly Result[], keys: ReadonlySet<string>): readonly Message[] {
    if (keys.size === 0) return messages;
    const changes = new Map<number, Map<Part, Part>>();
    for (const { key, at, part } of results) {
      if (!keys.has(key)) continue;
      change(changes, at, part, this.#cleared(part));
      if (!this.inputs) continue;
      const call = callBefore(messages, at, part.id);
      if (call !== undefined) change(changes, call.at, call.part, withoutInput(call.part));
    }
    if (changes.size === 0) return messages;
    return messages.map((message, at) => {
      const changed = changes.get(at);
      return changed === undefined ? message : this.#message(message, changed);
    });
  }

  #message(message: Message, changed: ReadonlyMap<Part, Part>): Message {
    const known = this.#known.get(message) ?? new Map<string, Message>();
    this.#known.set(message, known);
    const which = message.parts.map((part) => (changed.has(part) ? 1 : 0)).join("");
    let cleared = known.get(which);
    if (cleared === undefined) {
      const { native: _, ...rest } = message;
      cleared = { ...rest, parts: message.parts.map((part) => changed.get(part) ?? part) };
      known.set(which, cleared);
    }
    return cleared;
  }

  #cleared({ native: _, ...part }: ToolCallResponsePart): Part {
    return { ...part, response: this.placeholder };
  }
}

type CallPart = Extract<Part, { type: "tool_call" }>;

const withoutInput = ({ native: _, ...part }: CallPart): Part => ({ ...part, arguments: {} });

/** Returns the call of a result: the nearest one before it with its id. */
function callBefore(
  messages: readonly Message[],
  before: number,
  id: string,
): { readonly at: number; readonly part: CallPart } | undefined {
  for (let at = before - 1; at >= 0; at--) {
    const part = messages[at]?.parts.find((each): each is CallPart => each.type === "tool_call" && each.id === id);
    if (part !== undefined) return { at, part };
  }
  return undefined;
}

function change(changes: Map<number, Map<Part, Part>>, at: number, from: Part, to: Part): void {
  const here = changes.get(at) ?? new Map<Part, Part>();
  here.set(from, to);
  changes.set(at, here);
}
