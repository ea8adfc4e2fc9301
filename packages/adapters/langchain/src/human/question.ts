import { type Pending, type ToolCallPart, toolCall } from "@suite/core";
import { isRecord } from "../messages/metadata.js";

/** An interrupt, by which LangGraph tells what a run waits for. */
export interface Interrupt {
  readonly id?: string;
  readonly value?: unknown;
}

/** One thing that an interrupt asks, with the way to put it otherwise and to find its answer. */
export interface Question {
  readonly reason: Pending["reason"];
  readonly text: string;
  readonly about: ToolCallPart;
}

/** The review that `humanInTheLoopMiddleware` interrupts with. */
interface Review {
  readonly actionRequests: readonly { readonly name: string; readonly args: unknown; readonly description?: string }[];
}

export const isReview = (value: unknown): value is Review & Record<string, unknown> =>
  isRecord(value) && Array.isArray(value.actionRequests) && value.actionRequests.every(isRecord);

/** Whether a tool without an implementation interrupts: somebody else runs it. */
const isElsewhere = (value: unknown): value is { readonly toolCall: Record<string, unknown> } =>
  isRecord(value) && value.type === "tool" && isRecord(value.toolCall);

/**
 * The questions that an interrupt asks.
 *
 * @param calls the tool calls that it may be about: those of the model's last message, or the one that interrupts.
 */
export function questionsOf({ id = "", value }: Interrupt, calls: readonly ToolCallPart[]): readonly Question[] {
  if (isReview(value)) {
    const left = [...calls];
    return value.actionRequests.map(({ name, args, description }) => {
      const found = left.findIndex((call) => call.name === name);
      const about = found < 0 ? toolCall(id, name, args) : (left.splice(found, 1)[0] as ToolCallPart);
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

/** The interrupt's value with its questions put otherwise. */
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

/** The answers to its questions that a value to resume with holds, one for each. */
export const answersIn = (value: unknown, resume: unknown): readonly unknown[] =>
  isReview(value) && isRecord(resume) && Array.isArray(resume.decisions) ? resume.decisions : [resume];

/** The value to resume with, made of answers. */
export const resumeOf = (value: unknown, answers: readonly unknown[]): unknown =>
  isReview(value) ? { decisions: answers.map(decisionOf) } : answers[0];

/** A decision for what a layer may say in a person's place, beside LangChain's own decisions. */
function decisionOf(answer: unknown): unknown {
  if (answer === true) return { type: "approve" };
  return answer === false ? { type: "reject" } : answer;
}
