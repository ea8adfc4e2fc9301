import { type Invocation, type Suspended, type ToolCallPart, toolCall } from "@suite/core";
import type { AgentError } from "../errors.js";
import { canonical, shownArguments } from "../pending/digest.js";
import type { ToolContext } from "./context.js";
import { checked } from "./input.js";
import { rejected } from "./messages.js";
import { approvalOf, askPerson, finalOf } from "./person.js";
import type { AgentTool } from "./tool.js";

/** What a person has agreed to. */
interface Granted {
  /** The name and the arguments that were shown, as text: no digest, for which tools would have to wait and start out of order. */
  readonly text: string;
  /** What is to run in their place: as the person edited them, say. */
  readonly edited?: unknown;
}

/**
 * A person's consent to one tool call. It covers what was shown, and no other arguments; it is used up when the tool has
 * run, and holds for another attempt where the tool failed. So does a refusal.
 */
export class Consent {
  #granted: Granted | undefined;
  #used: Granted | undefined;
  #refused: { readonly text: string; readonly error: AgentError } | undefined;

  constructor(
    readonly context: ToolContext,
    readonly call: ToolCallPart,
  ) {}

  /** The tool failed: what was agreed to has not happened, and may be tried again. */
  giveBack(): void {
    this.#granted = this.#used;
  }

  /**
   * What the tool may run with, or what the call now waits for.
   *
   * @param input as all layers have left it: what is about to run is what must have been agreed to.
   * @param value the same as the tool's schema made it.
   */
  async for(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    input: unknown,
    value: unknown,
  ): Promise<{ readonly input: unknown; readonly value: unknown } | Suspended> {
    const { batch, run } = this.context;
    const { id } = this.call;
    const approved = batch.approved.get(id);
    const before = approved !== undefined || this.#granted !== undefined || this.#used !== undefined;
    const { needsApproval } = tool;
    if (!before) {
      const due = typeof needsApproval === "function" ? await needsApproval(value, run) : needsApproval === true;
      if (!due) return { input, value };
    }
    const shown = shownArguments(input);
    const text = canonical([tool.name, shown]);
    if (this.#refused?.text === text) throw this.#refused.error;
    if (approved !== undefined) {
      batch.approved.delete(id);
      this.#granted = this.#grantedBy(approved, tool, text);
    }
    if (this.#granted?.text !== text) {
      const waits = await this.#ask(invocation, tool, shown, text);
      if (waits !== undefined) return waits;
    }
    this.#used = this.#granted;
    this.#granted = undefined;
    if (this.#used === undefined || !("edited" in this.#used)) return { input, value };
    const { edited } = this.#used;
    invocation.request = { ...invocation.request, input: edited };
    return { input: edited, value: await checked(tool, edited) };
  }

  /**
   * What a decision covers. Where the layers of this process leave the call as the model wrote it, those of an earlier one
   * had made what was shown of it (with values from a vault that is gone, say), and that is what runs.
   */
  #grantedBy(approved: { readonly name: string; readonly arguments: unknown }, tool: AgentTool, text: string): Granted {
    const granted = { text: canonical([approved.name, approved.arguments]) };
    if (granted.text === text || approved.name !== tool.name) return granted;
    const untouched = canonical([tool.name, shownArguments(this.call.arguments)]);
    return untouched === text ? { text, edited: approved.arguments } : granted;
  }

  async #ask(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    shown: unknown,
    text: string,
  ): Promise<Suspended | undefined> {
    const { context } = this;
    const { id } = this.call;
    const part = toolCall(id, tool.name, shown);
    const question = `May ${tool.name} run with these arguments?`;
    const settlement = await askPerson(context, invocation, "approval", question, part);
    if (settlement.status === "suspended") return { suspended: settlement.pending };
    const answer = approvalOf(finalOf(settlement));
    const by = answer.by === undefined ? {} : { by: answer.by };
    const about = { call: invocation.call, toolCallId: id, toolName: tool.name, ...by };
    if (!answer.approve) {
      context.run.notify({ type: "approval", decision: "rejected", ...about });
      this.#refused = { text, error: rejected(tool.name, answer.message) };
      throw this.#refused.error;
    }
    const edited = answer.arguments !== undefined;
    context.run.notify({ type: "approval", decision: edited ? "edited" : "approved", ...about });
    this.#granted = { text, ...(edited && { edited: shownArguments(answer.arguments) }) };
    if (edited) context.batch.edited.set(id, answer.arguments);
    return undefined;
  }
}
