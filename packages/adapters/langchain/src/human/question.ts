import { toolCall } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import type { ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";

/** An interrupt. LangGraph reports it when a run waits. */
export interface Interrupt {
  readonly id?: string;
  readonly value?: unknown;
}

/** One question of an interrupt. */
export interface Question {
  readonly reason: Pending["reason"];
  readonly text: string;
  readonly about: ToolCallPart;
}

/** The review of an interrupt by `humanInTheLoopMiddleware`. */
interface Review {
  readonly actionRequests: readonly { readonly name: string; readonly args: unknown; readonly description?: string }[];
}

export const isReview = (value: unknown): value is Review & Record<string, unknown> =>
  isRecord(value) && Array.isArray(value.actionRequests) && value.actionRequests.every(isRecord);

/** True for the interrupt of a tool without an implementation, which runs elsewhere. */
const isElsewhere = (value: unknown): value is { readonly toolCall: Record<string, unknown> } =>
  isRecord(value) && value.type === "tool" && isRecord(value.toolCall);

/**
 * Returns the questions of an interrupt.
 *
 * @param calls the tool calls that it may be about: those of the model's last message, or the one that interrupts.
 */
export function questionsOf({ id = "", value }: Interrupt, calls: readonly ToolCallPart[]): readonly Question[] {
  if (isReview(value)) {
    const remaining = [...calls];
    return value.actionRequests.map(({ name, args, description }) => {
      const found = remaining.findIndex((call) => call.name === name);
      const about = found < 0 ? toolCall(id, name, args) : (remaining.splice(found, 1)[0] as ToolCallPart);
      return { reason: "approval", text: description ?? `May ${name} run with these arguments?`, about };
    });
  }
  if (isElsewhere(value)) {
    const { toolCall: of } = value;
    return [{ reason: "external", text: "", about: toolCall(String(of.id ?? id), String(of.name), of.args) }];
  }
  const [about = toolCall(id, "interrupt", value)] = calls.length === 1 ? calls : [];
  return [{ reason: "input", text: textOf(value), about }];
}

/** Returns the value of an interrupt with changed questions. */
export function reworded(value: unknown, texts: readonly string[]): unknown {
  if (isReview(value)) {
    return { ...value, actionRequests: value.actionRequests.map((one, i) => ({ ...one, description: texts[i] })) };
  }
  return isRecord(value) && typeof value.question === "string" ? { ...value, question: texts[0] } : texts[0];
}

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (isRecord(value) && typeof value.question === "string") return value.question;
  return JSON.stringify(value) ?? "";
};

/** Returns the answers in a resume value, one for each question. */
export const answersIn = (value: unknown, resume: unknown): readonly unknown[] =>
  isReview(value) && isRecord(resume) && Array.isArray(resume.decisions) ? resume.decisions : [resume];

/** Returns the resume value that contains these answers. */
export const resumeOf = (value: unknown, answers: readonly unknown[]): unknown =>
  isReview(value) ? { decisions: answers.map(decisionOf) } : answers[0];

/** Converts a layer's boolean to a decision. LangChain's decisions are returned unchanged. */
function decisionOf(answer: unknown): unknown {
  if (answer === true) return { type: "approve" };
  return answer === false ? { type: "reject" } : answer;
}
