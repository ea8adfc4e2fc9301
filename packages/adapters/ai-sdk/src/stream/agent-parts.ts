import type { Delta, FinishDelta, Pending, Usage } from "@suite/core";
import type { ToolSet } from "ai";
import { pendingIn } from "../turn/pending.js";

/** A part of what a user reads of `streamText`, as far as it is looked at here. */
export interface UserPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What becomes of one part: the layers see it as a delta, or it passes beside them; after the last part there is no more. */
export type Read = { readonly delta: Delta } | { readonly beside: UserPart } | { readonly end: UserPart };

/** Reads what a user is about to see of a streamed turn: what is said in all its steps is the agent's answer. */
export class AgentParts {
  readonly #parts = new WeakMap<Delta, UserPart>();
  /** Tool calls, by place: a changed one is built on what it was. */
  readonly #calls = new Map<string, UserPart>();
  /** Lengths of what each text was, and of what was let through of it. */
  readonly #given = new Map<unknown, number>();
  readonly #let = new Map<unknown, number>();
  #late: UserPart[] = [];
  #step: UserPart[] = [];
  #usage: { input: number; output: number } | undefined;
  #finishReason: string | undefined;
  /** Tools of the provider whose results have not come: another step may follow. */
  readonly #open = new Set<unknown>();

  constructor(readonly tools: ToolSet | undefined) {}

  read(part: UserPart): Read {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta": {
        const content = String(part.text);
        this.#given.set(part.id, (this.#given.get(part.id) ?? 0) + content.length);
        const type = part.type === "text-delta" ? ("text" as const) : ("reasoning" as const);
        return this.#delta(part, { type: "part", at: `${type}:${part.id}`, part: { type, content } });
      }
      case "tool-call": {
        this.#step.push(part);
        if (part.providerExecuted === true) {
          this.#open.add(part.toolCallId);
          return { beside: part };
        }
        const { toolCallId: id, toolName: name, input } = part;
        this.#calls.set(`tool:${id}`, part);
        const call = { type: "tool_call" as const, id: String(id), name: String(name), arguments: input };
        return this.#delta(part, { type: "part", at: `tool:${id}`, part: call });
      }
      case "text-end":
      case "reasoning-end":
        if (this.#given.get(part.id) === this.#let.get(part.id)) return { beside: part };
        this.#late.push(part);
        return { beside: nothing };
      case "start-step":
        this.#step = [];
        return { beside: part };
      case "finish-step":
        return this.#endStep(part);
      case "finish":
        return { end: part };
      default:
        if (part.type === "tool-result") this.#open.delete(part.toolCallId);
        this.#step.push(part);
        return { beside: part };
    }
  }

  /** The user's parts of a delta that the layers let through. */
  write(delta: Delta): readonly UserPart[] {
    if (delta.type !== "part") return [];
    const own = this.#parts.get(delta);
    const { part, at } = delta;
    if (own !== undefined && part.type === "tool_call") return [own];
    if (part.type === "tool_call") {
      const call = this.#calls.get(at);
      return call === undefined ? [] : [{ ...call, input: part.arguments }];
    }
    if (part.type !== "text" && part.type !== "reasoning") return [];
    const known = at.startsWith(`${part.type}:`) ? at.slice(part.type.length + 1) : undefined;
    if (known === undefined || !this.#given.has(known)) {
      const id = at;
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, text: part.content },
        { type: `${part.type}-end`, id },
      ];
    }
    this.#let.set(known, (this.#let.get(known) ?? 0) + part.content.length);
    return [own ?? { type: `${part.type}-delta`, id: known, text: part.content }];
  }

  /** The ends that waited for what layers held back. */
  late(): readonly UserPart[] {
    const late = this.#late;
    this.#late = [];
    return late;
  }

  /** How the answer ended, as the layers see it. */
  get finish(): FinishDelta {
    const usage: Usage | undefined = this.#usage && {
      inputTokens: this.#usage.input,
      outputTokens: this.#usage.output,
    };
    const reason = this.#finishReason === "tool-calls" ? "tool_call" : this.#finishReason?.replace("-", "_");
    return { type: "finish", ...(usage && { usage }), ...(reason !== undefined && { finishReason: reason }) };
  }

  /** What the last step leaves waiting. */
  get pending(): readonly Pending[] {
    return pendingIn(this.#step, this.tools);
  }

  #delta(part: UserPart, delta: Delta): Read {
    this.#parts.set(delta, part);
    return { delta };
  }

  /** A step without calls is the last one: there the layers give out what they hold, before it is recorded. */
  #endStep(part: UserPart): Read {
    const { inputTokens, outputTokens } = (part.usage ?? {}) as { inputTokens?: number; outputTokens?: number };
    if (inputTokens !== undefined || outputTokens !== undefined) {
      const { input, output } = this.#usage ?? { input: 0, output: 0 };
      this.#usage = { input: input + (inputTokens ?? 0), output: output + (outputTokens ?? 0) };
    }
    this.#finishReason = String(part.finishReason);
    const calls = this.#step.some(({ type }) => type === "tool-call");
    return calls || this.#open.size > 0 ? { beside: part } : { end: part };
  }
}

/** A part that is kept back. */
export const nothing: UserPart = { type: "" };
