import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "../contract/approval.js";
import type { Answer } from "../contract/call.js";
import type { ApprovalNotification } from "../contract/notification.js";
import { signalOf } from "../contract/signal.js";
import type { Run } from "../engine/run.js";
import type { PluginStack } from "../engine/stack.js";

type CallRequest = Omit<ApprovalRequest, "approved" | "late">;

/** The continuation of a call: its tool runs with an input, or an answer replaces it. */
export type Admitted = { readonly input: unknown } | { readonly answer: Answer<"tool"> };

/** A verdict or an error from before the tool was about to run. */
type Early = ApprovalVerdict | { readonly error: unknown };

/**
 * Asks the plugins for approval of a run's tool calls, for frameworks that ask a person themselves. Those that ask
 * early, before the tool's layers, call `waits`. All call `admit` right before the tool runs.
 */
export class ToolAdmission {
  readonly #early = new Map<string, Early>();

  constructor(
    readonly stack: PluginStack,
    readonly run: Run,
  ) {}

  /**
   * Returns the rule for a person's decision, `"decided"` if the decision is made, or `undefined` if none is
   * needed.
   */
  async waits(request: CallRequest): Promise<ApprovalRule | "decided" | undefined> {
    this.#early.delete(request.id);
    try {
      const verdict = await this.stack.approval(request, this.run);
      if (verdict === undefined || !("decision" in verdict)) return verdict;
      this.#early.set(request.id, verdict);
      this.#notify(request, verdict);
      return "decided";
    } catch (error) {
      // The error fails the call and not the run.
      this.#early.set(request.id, { error });
      return "decided";
    }
  }

  /** Returns the input of a call: as a person edited it early, or unchanged. */
  inputOf(id: string, input: unknown): unknown {
    const early = this.#early.get(id);
    return early !== undefined && "decision" in early && early.decision === "edit" ? early.arguments : input;
  }

  /**
   * Lets a call run or answers it.
   *
   * @param decided a person's decision, made through the framework. It is reported only if no plugin returns a verdict
   * or a rule.
   * @returns the rule if a person still has to decide. If the request is `late`, the call is refused instead.
   * @throws the error of a plugin, unchanged.
   */
  async admit(request: ApprovalRequest, decided?: "approved" | "edited"): Promise<Admitted | ApprovalRule> {
    const early = this.#early.get(request.id);
    if (early !== undefined && "error" in early) throw early.error;
    const answered = early && answerOf(early, request);
    if (answered !== undefined) return answered;
    const attempt = signalOf(request.call);
    const verdict = await this.stack.approval(request, this.run);
    // An attempt that was given up during the wait must not run its tool: another attempt may do so.
    attempt?.throwIfAborted();
    if (verdict === undefined) {
      if (decided !== undefined) this.#report(request, decided);
      return { input: request.input };
    }
    if ("decision" in verdict) {
      this.#notify(request, verdict);
      return answerOf(verdict, request) ?? { input: verdict.decision === "edit" ? verdict.arguments : request.input };
    }
    return request.late === true ? { answer: refusal(request.tool.name) } : verdict;
  }

  #notify(request: CallRequest, { decision, by }: ApprovalVerdict): void {
    this.#report(request, words[decision], by);
  }

  #report({ id, tool, call }: CallRequest, decision: ApprovalNotification["decision"], by?: string): void {
    const about = { toolCallId: id, toolName: tool.name, ...(call && { call }), ...(by !== undefined && { by }) };
    this.run.notify({ type: "approval", decision, ...about });
  }
}

const words = {
  approve: "approved",
  edit: "edited",
  reject: "rejected",
  respond: "responded",
} as const satisfies Record<ApprovalVerdict["decision"], ApprovalNotification["decision"]>;

/** Returns the answer that replaces the tool, if a person responded or refused. */
function answerOf(verdict: ApprovalVerdict, { tool }: CallRequest): Admitted | undefined {
  if (verdict.decision === "respond") return { answer: { value: verdict.response } };
  return verdict.decision === "reject" ? { answer: rejection(tool.name, verdict.message) } : undefined;
}

/** Returns the answer that reports a person's refusal to the model. */
export const rejection = (
  name: string,
  message: string | undefined,
): { readonly value: string; readonly isError: true } => ({
  value: `A person refused this call of ${name}; it was not run.${message === undefined ? "" : ` They say: ${message}`}`,
  isError: true,
});

const refusal = (name: string): Answer<"tool"> => ({
  value: `This call of ${name} needs a person's approval for these exact arguments; it was not run.`,
  isError: true,
});
