import { Command } from "@langchain/langgraph";
import { type Part, toolCallResponse } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import type { ApprovalNotification, Pending } from "@suite/core/contract";
import type { InRun } from "@suite/core/framework";
import type { ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { partsOfCommand } from "../messages/tool-value.js";
import { notesKey } from "../run-notes.js";
import { isSuiteReview, storeShownCall } from "./admission.js";
import { pendingOf } from "./ask.js";
import { answersIn, type Interrupt, isReview, type Question, questionsOf, resumeOf } from "./question.js";

/** The answers to the interrupts of a suspended run. */
export class Resumption {
  readonly #answered: readonly { readonly interrupt: Interrupt; readonly resume: unknown }[];

  /**
   * @param calls the tool calls of the model's last message.
   * @param handedOutAt the time when the run was suspended, in milliseconds since the epoch.
   */
  constructor(
    readonly command: Command,
    interrupts: readonly Interrupt[],
    readonly calls: readonly ToolCallPart[],
    readonly handedOutAt: number,
  ) {
    const { resume } = command as { readonly resume?: unknown };
    const byId = interrupts.filter(({ id }) => isRecord(resume) && id !== undefined && id in resume);
    this.#answered =
      byId.length > 0
        ? byId.map((interrupt) => ({ interrupt, resume: (resume as Record<string, unknown>)[interrupt.id as string] }))
        : interrupts.slice(0, 1).map((interrupt) => ({ interrupt, resume }));
  }

  /** The pending entries of the interrupts that are answered. */
  get pending(): readonly Pending[] {
    return this.#answered.flatMap(({ interrupt }) => questionsOf(interrupt, this.calls).map(pendingOf));
  }

  /** The results of tools that ran elsewhere. */
  get parts(): readonly Part[] {
    return this.#answered.flatMap(({ interrupt, resume }) =>
      questionsOf(interrupt, this.calls).flatMap(({ reason, about }) =>
        reason === "external" ? toolCallResponse(about.id, resume) : [],
      ),
    );
  }

  /** Returns the resume command with the answers after the `humanInput` layers, and reports the decisions. */
  async through(stack: PluginStack, within: InRun): Promise<Command> {
    for (const { interrupt } of this.#answered) storeShownCall(within.run, interrupt.value);
    const changes = await Promise.all(
      this.#answered.map(async ({ interrupt, resume }) => {
        const questions = questionsOf(interrupt, this.calls);
        const received = answersIn(interrupt.value, resume);
        const answers = await Promise.all(
          received.map((answer, index) => processAnswer(stack, within, questions[index], answer)),
        );
        // Plugins may still refuse an approved tool. Its admission reports the result.
        const admitted = stack.has.approval && isSuiteReview(interrupt.value);
        if (isReview(interrupt.value)) notifyAnswers(within, questions, answers, admitted, this.handedOutAt);
        const same = answers.every((answer, index) => Object.is(answer, received[index]));
        return { id: interrupt.id, before: resume, after: same ? resume : resumeOf(interrupt.value, answers) };
      }),
    );
    if (changes.every(({ before, after }) => Object.is(before, after))) return this.command;
    const { resume } = this.command as { readonly resume?: unknown };
    const [only] = changes;
    const single = changes.length === 1 && Object.is(only?.before, resume);
    const all = {
      ...(isRecord(resume) ? resume : {}),
      ...Object.fromEntries(changes.map(({ id, after }) => [id, after])),
    };
    return new Command({ ...partsOfCommand(this.command), resume: (single ? only?.after : all) as object });
  }
}

async function processAnswer(
  stack: PluginStack,
  within: InRun,
  question: Question | undefined,
  answer: unknown,
): Promise<unknown> {
  if (!stack.has.humanInput || question === undefined || question.reason === "external") return answer;
  const { text, about } = question;
  const respond = { value: answer };
  const outcome = await stack.call(
    "humanInput",
    within.run,
    { question: text, about },
    async (invocation) => invocation.respond(respond),
    within.call,
  );
  return outcome.final();
}

const decisions: Readonly<Record<string, ApprovalNotification["decision"]>> = {
  __proto__: null as never,
  approve: "approved",
  edit: "edited",
  reject: "rejected",
  respond: "responded",
};

function notifyAnswers(
  { run, call }: InRun,
  questions: readonly Question[],
  answers: readonly unknown[],
  admitted: boolean,
  handedOutAt: number,
): void {
  for (const [index, { about }] of questions.entries()) {
    const answer = answers[index];
    const decision = isRecord(answer) ? decisions[String(answer.type)] : undefined;
    if (decision === undefined || (admitted && (decision === "approved" || decision === "edited"))) continue;
    const of = { ...(call && { call }), toolCallId: about.id, toolName: about.name };
    run.notify({ type: "approval", ...of, decision });
    if (decision !== "rejected") continue;
    // A refused call does not pass the tool layers, so its result is reported here.
    if (admitted) run.get(notesKey).refused.add(about.id);
    const response = isRecord(answer) && typeof answer.message === "string" ? answer.message : "Not approved.";
    const times = { handedOutAt, returnedAt: Date.now() };
    run.notify({ type: "external_result", ...of, arguments: about.arguments, outcome: "denied", response, ...times });
  }
}
