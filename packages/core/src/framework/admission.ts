import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "../contract/approval.js";
import type { Answer } from "../contract/call.js";
import type { ApprovalNotification } from "../contract/notification.js";
import { signalOf } from "../contract/signal.js";
import type { Run } from "../engine/run.js";
import type { PluginStack } from "../engine/stack.js";

type Asked = Omit<ApprovalRequest, "approved" | "late">;

/** The way in which a call goes on: its tool runs with an input, or it is answered in the tool's place. */
export type Admitted = { readonly input: unknown } | { readonly answer: Answer<"tool"> };

/** A verdict, or an error, of before the tool was about to run. */
type Early = ApprovalVerdict | { readonly error: unknown };

/**
 * The admission of a run's tool calls: what plugins say of their approval, for frameworks that ask a person themselves. Those
 * that ask early, before the layers of the tool, take `waits` for it; all take `admit`, right before the tool runs.
 */
export class ToolAdmission {
  readonly #early = new Map<string, Early>();

  constructor(
    readonly stack: PluginStack,
    readonly run: Run,
  ) {}

  /** The rule by which a person is to decide; undefined where nobody has to, and `decided` where that is done already. */
  async waits(request: Asked): Promise<ApprovalRule | "decided" | undefined> {
    this.#early.delete(request.id);
    try {
      const said = await this.stack.approval(request, this.run);
      if (said === undefined || !("decision" in said)) return said;
      this.#early.set(request.id, said);
      this.#tell(request, said);
      return "decided";
    } catch (error) {
      // It fails its call, and not the run.
      this.#early.set(request.id, { error });
      return "decided";
    }
  }

  /** The input with which a call begins: as a person edited it early, or its own. */
  inputOf(id: string, input: unknown): unknown {
    const early = this.#early.get(id);
    return early !== undefined && "decision" in early && early.decision === "edit" ? early.arguments : input;
  }

  /**
   * Lets a call run, or answers it.
   *
   * @param decided the decision that the framework has of a person. It is reported if the plugins leave it to that: those that do not
   *   report their own, and a decision that none of them takes is none.
   * @returns the rule where a person has to be asked still, unless the request is `late`: then it is not run.
   * @throws what a plugin threw.
   */
  async admit(request: ApprovalRequest, decided?: "approved" | "edited"): Promise<Admitted | ApprovalRule> {
    const early = this.#early.get(request.id);
    if (early !== undefined && "error" in early) throw early.error;
    const answered = early && answerOf(early, request);
    if (answered !== undefined) return answered;
    const attempt = signalOf(request.call);
    const said = await this.stack.approval(request, this.run);
    // An attempt that was given up while somebody was asked does not run its tool any more: another may do so.
    attempt?.throwIfAborted();
    if (said === undefined) {
      if (decided !== undefined) this.#report(request, decided);
      return { input: request.input };
    }
    if ("decision" in said) {
      this.#tell(request, said);
      return answerOf(said, request) ?? { input: said.decision === "edit" ? said.arguments : request.input };
    }
    return request.late === true ? { answer: refusal(request.tool.name) } : said;
  }

  #tell(request: Asked, { decision, by }: ApprovalVerdict): void {
    this.#report(request, words[decision], by);
  }

  #report({ id, tool, call }: Asked, decision: ApprovalNotification["decision"], by?: string): void {
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

/** The answer in a tool's place, where a person gave one, or refused. */
function answerOf(verdict: ApprovalVerdict, { tool }: Asked): Admitted | undefined {
  if (verdict.decision === "respond") return { answer: { value: verdict.response } };
  return verdict.decision === "reject" ? { answer: rejection(tool.name, verdict.message) } : undefined;
}

/** The answer that tells the model of a person's refusal. */
export const rejection = (
  name: string,
  message: string | undefined,
): { readonly value: string; readonly isError: true } => ({
  value: `A person refused this call of ${name}; it was not run.${message === undefined ? "" : ` They say: ${message}`}`,
  isError: true,
});

const refusal = (name: string): Answer<"tool"> => ({
  value: `This call of ${name} needs a person's approval with just these arguments; it was not run.`,
  isError: true,
});
