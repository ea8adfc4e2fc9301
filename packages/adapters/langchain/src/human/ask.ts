import { GraphInterrupt } from "@langchain/langgraph";
import type { PluginStack } from "@suite/core/adapter";
import type { HumanInputRequest, Pending, Suspended } from "@suite/core/contract";
import type { InRun } from "@suite/core/framework";
import { reasonOf, settlementOf } from "@suite/core/framework";
import type { ToolCallPart } from "@suite/core/messages";
import { notesKey } from "../run-notes.js";
import { type Interrupt, type Question, questionsOf, resumeOf, reworded } from "./question.js";

/** The tool calls that an interrupt is about, and the conversation up to them. */
export type Around = Pick<HumanInputRequest, "batch" | "history">;

/** Interrupts whose questions were already sent to the layers, in the run of an agent that is a tool of this one. */
const known = new WeakSet<object>();

/**
 * Sends the questions of an interrupt through the `humanInput` layers before LangGraph receives it. Changed questions
 * are the ones that are stored and streamed. If the layers answer all questions, the run continues without a person.
 *
 * @returns the error to throw instead.
 */
export async function sendQuestions(
  stack: PluginStack,
  within: InRun,
  interrupt: GraphInterrupt,
  calls: readonly ToolCallPart[],
  around: Around,
): Promise<GraphInterrupt> {
  const interrupts = await Promise.all(
    interrupt.interrupts.map((one) => askForInterrupt(stack, within, one, calls, around)),
  );
  for (const one of interrupts) known.add(one);
  const changed = interrupts.some((one, index) => one !== interrupt.interrupts[index]);
  return changed ? new GraphInterrupt(interrupts as GraphInterrupt["interrupts"]) : interrupt;
}

async function askForInterrupt(
  stack: PluginStack,
  within: InRun,
  interrupt: Interrupt,
  calls: readonly ToolCallPart[],
  around: Around,
): Promise<Interrupt> {
  const { id = "", value } = interrupt;
  const questions = questionsOf(interrupt, calls);
  if (!stack.has.humanInput || known.has(interrupt)) {
    within.run.get(notesKey).waiting.set(id, questions.map(pendingOf));
    return interrupt;
  }
  const replies = await Promise.all(questions.map((question) => askPerson(stack, within, question, around)));
  const { waiting, answers } = within.run.get(notesKey);
  const pending = replies.flatMap((reply) => ("suspended" in reply ? reply.suspended : []));
  waiting.set(id, pending);
  if (pending.length === 0) {
    const received = replies.map((reply) => ("answer" in reply ? reply.answer : undefined));
    answers.set(id, resumeOf(value, received));
    return interrupt;
  }
  const texts = replies.map((reply, index) => textOf(reply) ?? questions[index]?.text ?? "");
  return texts.every((text, index) => text === questions[index]?.text)
    ? interrupt
    : { ...interrupt, value: reworded(value, texts) };
}

type PersonsReply = { readonly answer: unknown } | Suspended;

async function askPerson(
  stack: PluginStack,
  { run, call }: InRun,
  question: Question,
  around: Around,
): Promise<PersonsReply> {
  const { reason, text, about } = question;
  if (reason === "external") return { suspended: [pendingOf(question)] };
  const outcome = await stack.call(
    "humanInput",
    run,
    { question: text, about, ...around },
    async (invocation) => {
      invocation.respond({ suspended: [{ reason, part: about, question: invocation.request.question }] });
    },
    call,
  );
  const settlement = await settlementOf(outcome);
  if (settlement.status === "suspended") return { suspended: settlement.pending };
  if (settlement.status === "completed") return { answer: settlement.final };
  throw reasonOf(settlement);
}

/** Returns the pending entry of a question. */
export const pendingOf = ({ reason, text, about }: Question): Pending => ({
  reason,
  part: about,
  ...(text !== "" && { question: text }),
});

const textOf = (reply: PersonsReply): string | undefined =>
  "suspended" in reply ? (reply.suspended[0] as Pending | undefined)?.question : undefined;
