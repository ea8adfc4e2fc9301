import { type Invocation, toolCall } from "@suite/core";
import { bothRules } from "@suite/core/adapter";
import type { ApprovalRule, ApprovalVerdict, Suspended } from "@suite/core/contract";
import type { ToolCallPart } from "@suite/core/messages";
import { canonical } from "@suite/kit/digest";
import type { AgentError } from "../errors.js";
import { notAllowed } from "../pending/decisions.js";
import { displayArguments } from "../pending/json.js";
import { type Decided, decidedBy, ruleFor } from "./approval.js";
import type { ApprovedCall, ToolContext } from "./context.js";
import { stackOf } from "./context.js";
import { checkEdit, checked } from "./input.js";
import { rejected } from "./messages.js";
import { askPerson, finalOf } from "./person.js";
import type { AgentTool } from "./tool.js";

/** The consent of a person to a call. */
interface Granted {
  /**
   * The name and arguments that were shown, as a canonical string. Not a digest: computing one is asynchronous, so
   * tools would wait and start out of order.
   */
  readonly text: string;
  /** The arguments to use instead, for example those that the person edited. */
  readonly edited?: unknown;
  /** The tool to run instead. */
  readonly other?: AgentTool | undefined;
}

/**
 * The continuations of a tool call: with its input, with another tool and its input, with a person's response, or
 * suspended.
 */
export type Allowed =
  | { readonly input: unknown; readonly value: unknown }
  | { readonly other: AgentTool; readonly input: unknown; readonly shown: ApprovedCall["shown"] }
  | { readonly response: unknown }
  | Suspended;

/**
 * A person's consent to one tool call. It covers exactly the arguments that were shown. It is used up when the tool has
 * run, and covers another attempt if the tool failed. The same applies to a refusal.
 */
export class Consent {
  #granted: Granted | undefined;
  #used: Granted | undefined;
  #refused: { readonly text: string; readonly error: AgentError } | undefined;

  constructor(
    readonly context: ToolContext,
    readonly call: ToolCallPart,
  ) {}

  /**
   * Restores the consent for another attempt, after the tool failed without doing its work. Not called after a timeout.
   */
  giveBack(): void {
    this.#granted = this.#used;
  }

  /**
   * Returns the input that the tool may run with, or the pending calls.
   *
   * @param input the input after all layers: consent must cover exactly what runs.
   * @param value the same input after the tool's schema.
   */
  async for(invocation: Invocation<"tool">, tool: AgentTool, input: unknown, value: unknown): Promise<Allowed> {
    const { batch } = this.context;
    const { id } = this.call;
    const approved = batch.approved.get(id);
    const before = approved !== undefined || this.#granted !== undefined || this.#used !== undefined;
    let due = before ? undefined : await this.#due(invocation, tool, input, value);
    if (!before && due === undefined) return { input, value };
    const displayed = displayArguments(input);
    const text = canonical([tool.name, displayed]);
    if (this.#refused?.text === text) throw this.#refused.error;
    if (approved !== undefined) {
      batch.approved.delete(id);
      const granted = this.#grantedBy(approved, tool, text);
      if (granted.text === text) due = await this.#guarded(invocation, tool, runsWith(granted, input), approved.shown);
      this.#granted = due === undefined ? granted : undefined;
    }
    const shownCall = { tool: tool.name, arguments: displayed };
    if (this.#granted?.text !== text) {
      due ??= (await this.#due(invocation, tool, input, value)) ?? {}; // it needed approval before
      const decides = "decision" in due ? this.#settle : this.#askPerson;
      const ending = await decides.call(this, invocation, tool, displayed, text, due as ApprovalRule & Decided);
      if (ending !== undefined) return ending;
      if (!("decision" in due)) await this.#checkGuarded(invocation, tool, runsWith(this.#granted, input), shownCall);
    }
    // If this attempt was abandoned while a person was asked, the tool does not run. The next attempt uses the consent.
    invocation.signal.throwIfAborted();
    this.#used = this.#granted;
    this.#granted = undefined;
    if (this.#used === undefined || !("edited" in this.#used)) return { input, value };
    const { edited, other } = this.#used;
    if (other !== undefined) return { other, input: edited, shown: shownCall };
    invocation.request = { ...invocation.request, input: edited };
    return { input: edited, value: await checked(tool, edited) };
  }

  /** Returns the approval that the call needs, from the rule of the tool and from plugins. */
  async #due(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    input: unknown,
    value: unknown,
  ): Promise<ApprovalRule | ApprovalVerdict | undefined> {
    const toolRule = await ruleFor(tool, value, this.context.run);
    const pluginRule = await this.#guarded(invocation, tool, input, undefined);
    if (toolRule === undefined || pluginRule === undefined) return toolRule ?? pluginRule;
    return "decision" in pluginRule ? pluginRule : bothRules(toolRule, pluginRule);
  }

  /**
   * Returns the verdict of plugins on the call. @param approved the call that was shown to the person who approved it.
   */
  #guarded(
    { call, request: { batch, history } }: Invocation<"tool">,
    tool: AgentTool,
    input: unknown,
    approved: ApprovedCall["shown"] | undefined,
  ): Promise<ApprovalRule | ApprovalVerdict | undefined> | undefined {
    const stack = stackOf(tool, this.context.stack);
    if (!stack.has.approval) return undefined;
    const { id } = this.call;
    const request = { id, tool, input: displayArguments(input), batch, history, call };
    return stack.approval({ ...request, ...(approved !== undefined && { approved }) }, this.context.run);
  }

  /**
   * @throws AgentError `ERR_AGENT_TOOL_REJECTED` if a plugin does not accept the decision of a person who is present.
   */
  async #checkGuarded(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    input: unknown,
    shownCall: ApprovedCall["shown"],
  ): Promise<void> {
    if (this.#granted?.other !== undefined) return; // approval of the other tool's call is checked separately
    const still = await this.#guarded(invocation, tool, input, shownCall);
    if (still === undefined || ("decision" in still && still.decision === "approve")) return;
    throw rejected(tool.name, undefined);
  }

  /**
   * Returns the consent for a decision. If the layers in this process leave the call as the model wrote it, the layers
   * of an earlier process had changed it before it was shown, for example with values from a vault that no longer
   * exists. Then the arguments that were shown are used.
   */
  #grantedBy(approved: ApprovedCall, tool: AgentTool, text: string): Granted {
    const granted = { text: canonical([approved.name, approved.arguments]) };
    if (granted.text === text || approved.name !== tool.name) return granted;
    const untouched = canonical([tool.name, displayArguments(this.call.arguments)]);
    return untouched === text ? { text, edited: approved.arguments } : granted;
  }

  /** Asks a person. Returns `undefined` if the call is granted. */
  async #askPerson(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    displayed: unknown,
    text: string,
    rule: ApprovalRule,
  ): Promise<Suspended | { readonly response: unknown } | undefined> {
    const { id } = this.call;
    const { question = `May ${tool.name} run with these arguments?` } = rule;
    const about = toolCall(id, tool.name, displayed);
    const request = { reason: "approval", question, about, decisions: rule.decisions } as const;
    const { settlement, decisions } = await askPerson(this.context, invocation, request);
    if (settlement.status === "suspended") return { suspended: settlement.pending };
    const decided = decidedBy(finalOf(settlement));
    try {
      await this.#check(decided, decisions, tool, displayed);
    } catch (error) {
      // The decision is invalid, so the call waits for a valid one.
      this.context.run.notify({ type: "fault", call: invocation.call, where: `approval of ${tool.name}`, error });
      return {
        suspended: [{ reason: "approval", part: about, question, ...(decisions !== undefined && { decisions }) }],
      };
    }
    return this.#decided(invocation, tool, displayed, text, decided);
  }

  /** Applies the verdict of a plugin. Returns `undefined` if the call is granted. */
  async #settle(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    displayed: unknown,
    text: string,
    decided: Decided,
  ): Promise<{ readonly response: unknown } | undefined> {
    await this.#check(decided, undefined, tool, displayed);
    return this.#decided(invocation, tool, displayed, text, decided);
  }

  /** @throws AgentError `ERR_AGENT_DECISION_NOT_ALLOWED` */
  async #check(
    decided: Decided,
    decisions: readonly string[] | undefined,
    tool: AgentTool,
    displayed: unknown,
  ): Promise<void> {
    if (decisions?.includes(decided.decision) === false) {
      throw notAllowed(`This approval does not accept "${decided.decision}". It accepts: ${decisions.join(", ")}.`);
    }
    if (decided.decision !== "edit") return;
    const { arguments: edited = displayed } = decided;
    await checkEdit(this.context.tools, decided.tool ?? tool.name, edited);
  }

  #decided(
    invocation: Invocation<"tool">,
    tool: AgentTool,
    displayed: unknown,
    text: string,
    decided: Decided,
  ): { readonly response: unknown } | undefined {
    const { run, batch, tools } = this.context;
    const { id } = this.call;
    const { decision, by } = decided;
    const outcome = ({ approve: "approved", edit: "edited", reject: "rejected", respond: "responded" } as const)[
      decision
    ];
    const about = { call: invocation.call, toolCallId: id, toolName: tool.name };
    run.notify({ type: "approval", decision: outcome, ...about, ...(by !== undefined && { by }) });
    if (decision === "respond") return { response: decided.response };
    if (decision === "reject") {
      this.#refused = { text, error: rejected(tool.name, decided.message) };
      throw this.#refused.error;
    }
    if (decision === "approve") {
      this.#granted = { text };
      return undefined;
    }
    const edited = decided.arguments === undefined ? displayed : displayArguments(decided.arguments);
    const other = decided.tool === undefined || decided.tool === tool.name ? undefined : tools.get(decided.tool);
    this.#granted = { text, edited, other };
    batch.edited.set(id, { name: (other ?? tool).name, arguments: edited });
    return undefined;
  }
}

/** Returns the arguments that a granted call runs with. */
const runsWith = (granted: Granted | undefined, input: unknown): unknown =>
  granted !== undefined && "edited" in granted ? granted.edited : input;
