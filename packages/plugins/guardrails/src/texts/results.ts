import { type Message, type Part, type RuntimeContext, type StateKey, stateKey } from "@suite/core";
import { isObject } from "@suite/kit";
import type { At, TextGuard } from "./guard.js";

/** The results that were checked in a run. */
interface Looked {
  /** Results that passed the layer of the tool. */
  readonly texts: Set<string>;
  readonly objects: WeakSet<object>;
  /** The messages of requests, and their results. */
  readonly messages: WeakMap<Message, Message>;
}

/** The options of the results in requests. */
export interface ResultsOptions {
  readonly name: string;
  readonly guard: TextGuard;
  /** Returns true if the results of this tool are checked. */
  isSelected(tool: string): boolean;
  /** The words in place of a result that is withheld. */
  withheld(tool: string): string;
}

/**
 * Checks the results of tools in requests, for tools that ran elsewhere and for frameworks that run no tools. Results
 * that passed the tool's layer in the same run are not checked again.
 */
export class ResultsInRequests {
  readonly #options: ResultsOptions;
  readonly #looked: StateKey<Looked>;

  constructor(options: ResultsOptions) {
    this.#options = options;
    this.#looked = stateKey(`${options.name}.looked`, () => ({
      texts: new Set<string>(),
      objects: new WeakSet<object>(),
      messages: new WeakMap<Message, Message>(),
    }));
  }

  /** Remembers a value that passed the layer of the tool. */
  passed(value: unknown, runtime: RuntimeContext): void {
    const { texts, objects } = runtime.get(this.#looked);
    if (typeof value === "string") texts.add(value);
    else if (isObject(value)) objects.add(value);
  }

  /** Returns the messages that may go to a model. Returns the same array if nothing changed. */
  look(messages: readonly Message[], at: Omit<At, "place">): readonly Message[] {
    const tools = new Map<string, string>();
    let changed = false;
    const looked = messages.map((message) => {
      for (const part of message.parts) if (part.type === "tool_call") tools.set(part.id, part.name);
      const checked = this.#message(message, tools, at);
      changed ||= checked !== message;
      return checked;
    });
    return changed ? looked : messages;
  }

  #message(message: Message, tools: ReadonlyMap<string, string>, at: Omit<At, "place">): Message {
    const { messages } = at.runtime.get(this.#looked);
    const known = messages.get(message);
    if (known !== undefined) return known;
    const parts = message.parts.map((part) => this.#part(part, tools, at));
    let changed = message;
    if (parts.some((part, index) => part !== message.parts[index])) {
      const { native: _, ...rest } = message; // the native message still contains the removed content
      changed = { ...rest, parts };
    }
    messages.set(message, changed);
    return changed;
  }

  #part(part: Part, tools: ReadonlyMap<string, string>, at: Omit<At, "place">): Part {
    if (part.type !== "tool_call_response") return part;
    const { id, response, isError } = part;
    const tool = tools.get(id);
    const { guard, isSelected, withheld } = this.#options;
    // The call may be stored elsewhere, so its result may belong to any tool.
    if ((tool !== undefined && !isSelected(tool)) || this.#isKnown(response, at.runtime)) return part;
    const details = tool === undefined ? {} : { details: { tool } };
    const passed = guard.look(response, { place: "tool_result", ...at, ...details });
    if (passed.blocked) return { type: part.type, id, response: withheld(tool ?? "a tool"), isError: true };
    if (passed.value === response) return part;
    return { type: part.type, id, response: passed.value, ...(isError && { isError }) };
  }

  #isKnown(response: unknown, runtime: RuntimeContext): boolean {
    const { texts, objects } = runtime.get(this.#looked);
    return typeof response === "string" ? texts.has(response) : isObject(response) && objects.has(response);
  }
}
