import type { Delta, Usage } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import type { FinishDelta } from "@suite/core/messages";
import type { ToolSet } from "ai";
import { pendingIn } from "../turn/pending.js";

/** The fields of a part of `streamText` that are used here. */
export interface UserPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The result of reading a part: a delta for the layers, a part that skips them, or the last part. */
export type Read = { readonly delta: Delta } | { readonly beside: UserPart } | { readonly end: UserPart };

/** Reads the parts of a streamed turn. The text and calls of all its steps form the answer of the agent. */
export class AgentParts {
  readonly #parts = new WeakMap<Delta, UserPart>();
  /** Tool calls, by place. A changed call is based on the original. */
  readonly #calls = new Map<string, UserPart>();
  /** Chunks that start and end text, by place. Text that the layers passed is open until its end is passed. */
  readonly #starts = new Map<string, UserPart>();
  readonly #ends = new Map<string, UserPart>();
  readonly #texts = new Set<string>();
  #step: UserPart[] = [];
  #usage: { input: number; output: number } | undefined;
  #finishReason: string | undefined;
  /** Ids of provider tool calls without a result. Another step may follow. */
  readonly #open = new Set<unknown>();

  constructor(readonly tools: ToolSet | undefined) {}

  read(part: UserPart): Read {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#starts.set(atOf(part), part);
        return this.#text(part, "");
      case "text-delta":
      case "reasoning-delta":
        return this.#text(part, String(part.text));
      case "text-end":
      case "reasoning-end":
        this.#ends.set(atOf(part), part);
        return this.#delta(part, { type: "part_end", at: atOf(part) });
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

  /** Returns the user's parts for a delta that the layers passed. */
  write(delta: Delta): readonly UserPart[] {
    if (delta.type === "part_end") return this.#endText(delta.at);
    if (delta.type !== "part") return [];
    const original = this.#parts.get(delta);
    const { part, at } = delta;
    if (part.type === "tool_call") {
      if (original !== undefined) return [original];
      const call = this.#calls.get(at);
      return call === undefined ? [] : [{ ...call, input: part.arguments }];
    }
    if (part.type !== "text" && part.type !== "reasoning") return [];
    const start = this.#starts.get(at);
    const id = start?.id ?? at;
    const out: UserPart[] = [];
    if (!this.#texts.has(at)) {
      this.#texts.add(at);
      if (original === undefined || original !== start) out.push(start ?? { type: `${part.type}-start`, id });
    }
    if (original !== undefined) out.push(original);
    else if (part.content !== "") out.push({ type: `${part.type}-delta`, id, text: part.content });
    // Text that a layer added is complete.
    if (start === undefined) out.push(...this.#endText(at, part.type));
    return out;
  }

  /** Returns the ends of text that the layers did not pass. */
  late(): readonly UserPart[] {
    return [...this.#texts].flatMap((at) => (this.#ends.has(at) ? this.#endText(at) : []));
  }

  /** The finish delta of the answer. */
  get finish(): FinishDelta {
    const usage: Usage | undefined = this.#usage && {
      inputTokens: this.#usage.input,
      outputTokens: this.#usage.output,
    };
    const reason = this.#finishReason === "tool-calls" ? "tool_call" : this.#finishReason?.replace("-", "_");
    return { type: "finish", ...(usage && { usage }), ...(reason !== undefined && { finishReason: reason }) };
  }

  /** The pending calls of the last step. */
  get pending(): readonly Pending[] {
    return pendingIn(this.#step, this.tools);
  }

  #text(part: UserPart, content: string): Read {
    const type = part.type.startsWith("text") ? ("text" as const) : ("reasoning" as const);
    return this.#delta(part, { type: "part", at: atOf(part), part: { type, content } });
  }

  #endText(at: string, kind?: string): readonly UserPart[] {
    if (!this.#texts.delete(at)) return [];
    const end = this.#ends.get(at);
    return [end ?? { type: `${kind ?? at.split(":", 1)[0]}-end`, id: this.#starts.get(at)?.id ?? at }];
  }

  #delta(part: UserPart, delta: Delta): Read {
    this.#parts.set(delta, part);
    return { delta };
  }

  /**
   * Reads the end of a step. A step without calls is the last one: the layers release the rest before it is recorded.
   */
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

/** Returns the place of a part. Ids are unique among parts of one kind. */
const atOf = ({ type, id }: UserPart): string => `${type.split("-", 1)[0]}:${id}`;
