import { toolCall } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { asSchema, type ToolSet } from "ai";
import type { Content, StreamPart } from "../framework.js";
import { jsonOf, parsed } from "../messages/content.js";
import { sign, ticketName } from "../messages/ticket.js";
import type { Pass } from "../model/streams.js";
import type { Turn } from "../turn/turn.js";
import { callExternalTool } from "./external.js";
import { approvalNeed, mayWait } from "./waiting.js";

type Call = Extract<Content, { type: "tool-call" }>;

/**
 * Hands out tool calls that will wait, before the framework sees them. Plugins are notified, and each call gets a
 * ticket.
 */
export class ToolHandoff {
  constructor(
    readonly turn: Turn,
    readonly tools: ToolSet,
  ) {}

  /** Returns the calls in a complete answer that will wait. */
  waitingIn(content: readonly Content[]): readonly Call[] {
    return content.filter((each): each is Call => each.type === "tool-call" && this.#waits(each));
  }

  /** Returns the content of a complete answer after handing out its waiting calls. */
  async handOut(content: readonly Content[], calls: readonly Call[]): Promise<readonly Content[]> {
    const handed = await this.#tickets(calls);
    return content.map((each) => (each.type === "tool-call" ? (handed.get(each) ?? each) : each));
  }

  /**
   * Returns a filter for a streamed answer. It holds chunks back from the first waiting call on, since few chunks
   * follow.
   */
  pass(): Pass {
    let held: StreamPart[] | undefined;
    return {
      accept: (chunks) => {
        if (held === undefined && !chunks.some((chunk) => this.#begins(chunk))) return chunks;
        const out: StreamPart[] = [];
        for (const chunk of chunks) {
          if (held === undefined && this.#begins(chunk)) held = [];
          (held ?? out).push(chunk);
        }
        return out;
      },
      end: async () => {
        if (held === undefined) return [];
        const calls = held.filter((each): each is Call => each.type === "tool-call" && this.#waits(each));
        const handed = await this.#tickets(calls);
        return held.flatMap((chunk) => this.#handed(chunk, handed));
      },
    };
  }

  #begins(chunk: StreamPart): boolean {
    // Only a tool layer changes input that has streamed.
    const begins = chunk.type === "tool-call" || (chunk.type === "tool-input-start" && this.turn.stack.has.tool);
    return begins && this.#waits(chunk);
  }

  #waits({ toolName, providerExecuted }: { readonly toolName: string; readonly providerExecuted?: boolean }): boolean {
    if (providerExecuted === true || !Object.hasOwn(this.tools, toolName)) return false;
    const { settings, stack } = this.turn;
    return mayWait(this.tools[toolName], settings.toolApproval, toolName, stack.has.approval);
  }

  /** Returns the chunks for a held chunk. If layers changed the input of a call, its streamed input is dropped. */
  #handed(chunk: StreamPart, handed: ReadonlyMap<Call, Call>): readonly StreamPart[] {
    if (chunk.type === "tool-call") return [handed.get(chunk) ?? chunk];
    if (chunk.type !== "tool-input-start" && chunk.type !== "tool-input-delta" && chunk.type !== "tool-input-end") {
      return [chunk];
    }
    const changed = [...handed].some(
      ([before, after]) => before.toolCallId === chunk.id && before.input !== after.input,
    );
    return changed ? [] : [chunk];
  }

  /**
   * Returns the waiting calls with their tickets, by original call. Plugins are notified of calls that are certain to
   * wait.
   */
  async #tickets(waiting: readonly Call[]): Promise<ReadonlyMap<Call, Call>> {
    const { turn } = this;
    const valid = await Promise.all(waiting.map((call) => this.#isValid(call)));
    const calls = waiting.filter((_, index) => valid[index]);
    if (calls.length === 0) return new Map();
    const pendings = await Promise.all(calls.map((call) => this.#pending(call)));
    const sure = pendings.flatMap((pending) => pending ?? []);
    for (const pending of sure) turn.handedOut.set(pending.part.id, { ...pending, handedOutAt: Date.now() });
    if (sure.length > 0) {
      const pending = [...turn.handedOut.values()];
      turn.run.notify({ type: "suspension", ...(turn.call && { call: turn.call }), pending });
    }
    const state = JSON.stringify(turn.run.save());
    const key = await turn.key;
    const handed = new Map<Call, Call>();
    for (const [index, call] of calls.entries()) {
      const { toolCallId: id, toolName: name } = call;
      const at = turn.handedOut.get(id)?.handedOutAt ?? Date.now();
      const ticket = await sign({ run: turn.run.runId, at, state }, { id, name }, key);
      const pending = pendings[index];
      const input = pending?.reason === "external" ? changedInput(call, pending.part.arguments) : call.input;
      const providerMetadata = { ...call.providerMetadata, [ticketName]: { ...ticket } };
      handed.set(call, { ...call, input, providerMetadata });
    }
    return handed;
  }

  /**
   * Returns true if a call's input is valid or can be repaired. The framework refuses invalid input, so such a call
   * does not wait.
   */
  async #isValid({ toolName, input }: Call): Promise<boolean> {
    const { repairToolCall, experimental_repairToolCall } = this.turn.settings;
    const schema = asSchema(this.tools[toolName]?.inputSchema);
    if (repairToolCall !== undefined || experimental_repairToolCall !== undefined) return true;
    const value = parsed(input);
    if (typeof value === "string") return false;
    return (await schema.validate?.(value))?.success !== false;
  }

  /**
   * Returns the pending call if the call is certain to wait. A function that decides on the approval is called later.
   */
  async #pending({ toolCallId: id, toolName: name, input }: Call): Promise<Pending | undefined> {
    const tool = this.tools[name];
    const args = parsed(input);
    if (tool === undefined) return undefined;
    const need = approvalNeed(tool, this.turn.settings.toolApproval, name);
    if (need !== "never") {
      const waits = need === "always" && !this.turn.stack.hasAny(["humanInput", "approval"]);
      return waits ? { reason: "approval", part: toolCall(id, name, args) } : undefined;
    }
    return tool.execute === undefined ? callExternalTool(this.turn, id, name, args) : undefined;
  }
}

const changedInput = ({ input }: Call, args: unknown): string => {
  const json = jsonOf(args);
  return json === jsonOf(parsed(input)) ? input : json;
};
