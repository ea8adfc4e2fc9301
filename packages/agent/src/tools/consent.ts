import { type Invocation, type Suspended, type ToolCallPart, toolCall } from "@suite/core";
import type { AgentError } from "../errors.js";
import { digestOf, shownArguments } from "../pending/digest.js";
import type { ToolContext } from "./context.js";
import { checked } from "./input.js";
import { rejected } from "./messages.js";
import { approvalOf, askPerson, finalOf } from "./person.js";
import type { AgentTool } from "./tool.js";

/** What a person has agreed to. */
interface Granted {
  /** Of the name and arguments that were shown. */
  readonly digest: string;
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
  #refused: { readonly digest: string; readonly error: AgentError } | undefined;

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
    const digest = await digestOf(tool.name, shown);
    if (this.#refused?.digest === digest) throw this.#refused.error;
    if (approved !== undefined) {
      batch.approved.delete(id);
      this.#granted = await this.#grantedBy(approved, tool, digest);
    }
    if (this.#granted?.digest !== digest) {
      const waits = await this.#ask(invocation, tool, shown, digest);
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
  async #grantedBy(
    approved: { readonly name: string; readonly arguments: unknown },
    tool: AgentTool,
    digest: string,
  ): Promise<Granted> {
    const granted = { digest: await digestOf(approved.name, approved.arguments) };
    if (granted.digest === digest || approved.name !== tool.name) return granted;
    const untouched = await digestOf(tool.name, shownArguments(this.call.arguments));
    return untouched === digest ? { digest, edited: approved.arguments } : granted;
  }

  async #ask(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    shown: unknown,
    digest: string,
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
      this.#refused = { digest, error: rejected(tool.name, answer.message) };
      throw this.#refused.error;
    }
    const edited = answer.arguments !== undefined;
    context.run.notify({ type: "approval", decision: edited ? "edited" : "approved", ...about });
    this.#granted = { digest, ...(edited && { edited: shownArguments(answer.arguments) }) };
    if (edited) context.batch.edited.set(id, answer.arguments);
    return undefined;
  }
}
